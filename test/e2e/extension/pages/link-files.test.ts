import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ElementHandle, Page } from 'puppeteer-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createClient } from '../../../../shared/client.ts';
import type { Downloads } from '../../support/browser/downloads.ts';
import { findViolations } from '../../support/checks/accessibility.ts';
import { dateIn, noonTimeZone } from '../../support/checks/noon.ts';
import {
  openPopup,
  press,
  shownLink,
  stored,
  targetOf,
  useFixture,
} from '../../support/extension/extension-fixture.ts';
import { expectText, openLinks, titles } from '../../support/extension/links-page.ts';

const fixture = useFixture();
let downloads: Downloads;
let folder: string;
let page: Page;

beforeAll(async () => {
  downloads = await fixture.chromium.collectDownloads();
  folder = await mkdtemp(join(tmpdir(), 'curt-files-'));
});
afterAll(async () => {
  await downloads?.stop();
  if (folder) await rm(folder, { recursive: true, force: true });
});
afterEach(() => page?.close());

let files = 0;

/** Opens the panel if necessary, and chooses a file. */
async function choose(content: string | Buffer): Promise<void> {
  const path = join(folder, `chosen-${++files}`);
  await writeFile(path, content);
  if (!(await page.$('input[type=file]'))) {
    await press(page, 'Export and import');
    await press(page, 'Import a file…');
    await page.waitForSelector('input[type=file]');
  }
  const input = (await page.$('input[type=file]')) as ElementHandle<HTMLInputElement>;
  await input.uploadFile(path);
}

/** Exports the list to a file with the date in its name. */
async function exportAsCsv(): Promise<Buffer> {
  const timeZone = noonTimeZone();
  await page.emulateTimezone(timeZone);
  await press(page, 'Export and import');
  await press(page, 'Export as CSV');
  return downloads.take(`curt-links-${dateIn(timeZone)}.csv`);
}

/** Creates the account, with the link of the page. */
async function createLink(): Promise<string> {
  const popup = await openPopup(fixture);
  const shortUrl = await shownLink(popup, 'Short link copied');
  await popup.close();
  return shortUrl;
}

test('the list is exported with the date in its name, and imported once', async () => {
  const title = '=1+1, "é" 日本';
  await fixture.page.goto(`${fixture.site.origin}/a?title=${encodeURIComponent(title)}`);
  const shortUrl = await createLink();
  page = await openLinks(fixture);
  await expect.poll(() => titles(page)).toEqual([title]);
  const file = await exportAsCsv();
  const { accountTokens } = await stored(fixture);
  const token = accountTokens[fixture.server.baseUrl] as string;
  const client = createClient({ baseUrl: fixture.server.baseUrl });
  const alias = new URL(shortUrl).pathname.slice(1);
  expect(await client.deleteLink({ alias, token, purge: true })).toMatchObject({ ok: true });
  await page.reload();
  await expectText(page, 'No links yet');
  await choose(file);
  await expectText(page, '1 link would be added.');
  await press(page, 'Import now');
  await expectText(page, '1 link was added.');
  await expect.poll(async () => (await titles(page)).length).toBe(1);
  expect(await targetOf(shortUrl)).toBe(fixture.page.url());
  await choose(file);
  await expectText(page, 'Already there: 1.');
  // Rows out of sight, below the import, are not rendered.
  await press(page, 'Close');
  await expect.poll(async () => (await titles(page)).length).toBe(1);
});

test('selected links are exported alone', async () => {
  const shortUrl = await createLink();
  await fixture.page.goto(`${fixture.site.origin}/another`);
  const other = await createLink();
  page = await openLinks(fixture);
  await expect.poll(async () => (await titles(page)).length).toBe(2);
  await page.$$eval('.select', ([first]) => (first as HTMLElement).click());
  await page.waitForSelector('.bulk-bar [aria-haspopup=menu]');
  await page.$$eval('.bulk-bar [aria-haspopup=menu]', (menus) =>
    (menus.at(-1) as HTMLElement).click(),
  );
  const timeZone = noonTimeZone();
  await page.emulateTimezone(timeZone);
  await press(page, 'Export as JSON');
  const file = String(await downloads.take(`curt-links-${dateIn(timeZone)}.json`));
  expect(file).toContain(other);
  expect(file).not.toContain(shortUrl);
});

test('a file with invalid rows imports the valid ones and lists the others', async () => {
  await createLink();
  page = await openLinks(fixture);
  await choose(
    [
      'title,shortUrl,originalUrl,created',
      'Good,https://curt.example/good,https://example.com/,2030-01-31T12:00:00Z',
      'Bad,https://curt.example/bad,javascript:alert(1),2030-01-31T12:00:00Z',
    ].join('\n'),
  );
  await expectText(page, '1 link would be added.');
  await press(page, 'Import now');
  await expectText(page, '1 link was added.');
  await expectText(page, 'Skipped: 1.');
  await expectText(page, 'originalUrl: ');
  await expect.poll(() => titles(page)).toContain('Good');
  expect(await findViolations(page)).toEqual([]);
});

test.each([
  ['{"links":[', 'The file can’t be imported'],
  ['name,price\nbread,2', 'The file can’t be imported'],
])('a file with %j is rejected with a reason', async (content, words) => {
  await createLink();
  page = await openLinks(fixture);
  await choose(content);
  await expectText(page, words);
});

describe('the menu for files', () => {
  const focused = () => page.evaluate(() => document.activeElement?.textContent);
  const isOpen = () =>
    page.$eval('[aria-haspopup=menu]', (button) => button.getAttribute('aria-expanded') === 'true');
  const ITEMS = ['Export as JSON', 'Export as CSV', 'Import a file…'];

  beforeEach(async () => {
    page = await openLinks(fixture);
    const button = await page.waitForSelector('[aria-haspopup=menu]');
    await button?.focus();
  });

  test('opens and moves with the keyboard, and returns the focus', async () => {
    for (const key of ['Enter', 'Space', 'ArrowDown'] as const) {
      await page.keyboard.press(key);
      await expect.poll(focused).toBe(ITEMS[0]);
      await expect.poll(isOpen).toBe(true);
      await page.keyboard.press('Escape');
      await expect.poll(focused).toBe('Export and import');
      await expect.poll(isOpen).toBe(false);
    }
    await page.keyboard.press('ArrowUp');
    await expect.poll(focused).toBe(ITEMS[2]);
    for (const [key, item] of [
      ['ArrowDown', ITEMS[0]],
      ['ArrowDown', ITEMS[1]],
      ['End', ITEMS[2]],
      ['Home', ITEMS[0]],
      ['ArrowUp', ITEMS[2]],
    ] as const) {
      await page.keyboard.press(key);
      await expect.poll(focused).toBe(item);
    }
  });

  test('is one tab stop, and closes when the focus leaves it', async () => {
    await page.keyboard.press('Enter');
    await expect.poll(focused).toBe(ITEMS[0]);
    await page.keyboard.press('Tab');
    await expect.poll(isOpen).toBe(false);
    await expect.poll(focused).toBe('Statistics');
    await page.locator('[aria-haspopup=menu]').click();
    await expect.poll(isOpen).toBe(true);
    await page.focus('[type=search]');
    await expect.poll(isOpen).toBe(false);
  });

  test('is accessible, and exports nothing from an empty list', async () => {
    await page.keyboard.press('Enter');
    await expect.poll(focused).toBe(ITEMS[0]);
    expect(await findViolations(page)).toEqual([]);
    const disabled = await page.$$eval('[role=menuitem]', (items) =>
      items.filter((one) => one.ariaDisabled === 'true').map((one) => one.textContent),
    );
    expect(disabled).toEqual(ITEMS.slice(0, 2));
    await page.keyboard.press('Enter');
    expect(await isOpen()).toBe(true);
  });

  test('opens the import, which says that it needs an account, and closes it', async () => {
    await press(page, 'Export and import');
    await press(page, 'Import a file…');
    await page.waitForSelector('input[type=file]');
    await expect.poll(focused).toBe('Import');
    await choose('originalUrl\nhttps://example.com/\n');
    await expectText(page, 'only accepts requests with a sign-in key');
    await press(page, 'Close');
    await page.waitForSelector('input[type=file]', { hidden: true });
  });
});
