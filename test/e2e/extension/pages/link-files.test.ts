import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ElementHandle, Page } from 'puppeteer-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { writeJson } from '../../../../extension/links/files/json.ts';
import type { LinkSummary } from '../../../../extension/links/link.ts';
import { collectDownloads, type Downloads } from '../../support/browser/downloads.ts';
import { findViolations } from '../../support/checks/accessibility.ts';
import { dateIn, noonTimeZone } from '../../support/checks/noon.ts';
import {
  expectStatus,
  notifications,
  openPopup,
  press,
  savedLinks,
  shownLink,
  statusOf,
  targetOf,
  useFixture,
} from '../../support/extension/extension-fixture.ts';
import {
  expectText,
  manyLinks,
  openLinks,
  savedLink,
  saveLinks,
  titles,
} from '../../support/extension/links-page.ts';

const fixture = useFixture();
let downloads: Downloads;
let folder: string;
let page: Page;

beforeAll(async () => {
  downloads = await collectDownloads(fixture.chromium.browser);
  folder = await mkdtemp(join(tmpdir(), 'curt-files-'));
});
afterAll(async () => {
  await downloads?.stop();
  if (folder) await rm(folder, { recursive: true, force: true });
});
afterEach(() => page?.close());

async function choose(content: string | Buffer): Promise<void> {
  const path = join(folder, 'chosen');
  await writeFile(path, content);
  const input = (await page.$('input[type=file]')) as ElementHandle<HTMLInputElement>;
  await input.uploadFile(path);
}

/** Exports the list to a file with the date in its name. */
async function exportAs(format: 'JSON' | 'CSV'): Promise<Buffer> {
  const timeZone = noonTimeZone();
  await page.emulateTimezone(timeZone);
  await press(page, 'Export and import');
  await press(page, `Export as ${format}`);
  return downloads.take(`curt-links-${dateIn(timeZone)}.${format.toLowerCase()}`);
}

describe.each(['JSON', 'CSV'] as const)('the list as %s', (name) => {
  test('is exported with the date in its name, and imported completely', async () => {
    await fixture.page.goto(
      `${fixture.site.origin}/queued?title=${encodeURIComponent('=1+1, "é" 日本')}`,
    );
    await shownLink(await openPopup(fixture), 'Short link copied');
    await saveLinks(fixture, [
      savedLink('waiting', { hasPassword: true, waitTimerSeconds: 7 }),
      savedLink('gone', { expiresAt: '2020-01-31T12:00:00.000Z' }),
    ]);
    const before = await savedLinks(fixture);
    page = await openLinks(fixture);
    const file = await exportAs(name);
    for (let left = before.length; left > 0; left -= 1) {
      await press(page, 'Delete', 'Remove from this list');
      // The row stays for a moment after the link is removed.
      await expect.poll(async () => (await titles(page)).length).toBe(left - 1);
    }
    await expect.poll(() => savedLinks(fixture)).toEqual([]);
    await choose(file);
    await expectText(page, 'Added: 3. Already in the list: 0.');
    const after = await savedLinks(fixture);
    expect(after).toHaveLength(3);
    // A file says nothing about what an account can manage.
    const imported = before.map(({ managed: _, ...link }) => ({ ...link, isImported: true }));
    expect(after).toEqual(expect.arrayContaining(imported));
    await choose(file);
    await expectText(page, 'Added: 0. Already in the list: 3.');
    expect(await savedLinks(fixture)).toHaveLength(3);
  });
});

test('a large import shows its progress, and never an empty list', async () => {
  page = await openLinks(fixture);
  await page.evaluate(() => {
    const seen: string[] = [];
    Object.assign(globalThis, { seen });
    new MutationObserver(() => {
      seen.push(document.body.innerText);
    }).observe(document.body, { childList: true, subtree: true, characterData: true });
  });
  const links = manyLinks(2000).map((link) => ({
    ...link,
    serverOrigin: 'https://curt.example',
    requestedUrl: link.originalUrl,
  }));
  await choose(writeJson(links, new Date()));
  await expectText(page, 'Added: 2,000.');
  await expectText(page, '2,000 links');
  const seen = await page.evaluate(() => (globalThis as unknown as { seen: string[] }).seen);
  const busy = seen.findIndex((text) => text.includes('Importing'));
  expect(seen.slice(busy).filter((text) => text.includes('No links yet'))).toEqual([]);
  expect(seen.some((text) => text.includes('Importing: 500 of 2,000'))).toBe(true);
  const done = seen.filter((text) => text.includes('Added: 2,000.'));
  expect(done.every((text) => text.includes('2,000 links'))).toBe(true);
});

describe('an imported link', () => {
  let link: LinkSummary | undefined;

  beforeEach(async () => {
    await shownLink(await openPopup(fixture), 'Short link copied');
    [link] = await savedLinks(fixture);
    page = await openLinks(fixture);
    const file = await exportAs('JSON');
    await press(page, 'Delete', 'Remove from this list');
    await expect.poll(() => savedLinks(fixture)).toEqual([]);
    await choose(file);
    await expectText(page, 'Added: 1.');
    await fixture.chromium.writeClipboard('before');
  });

  test('is marked in the list', () => expectText(page, 'From a file'));

  test('is shown for its page, and copied only on request', async () => {
    const popup = await openPopup(fixture);
    expect(await shownLink(popup, 'Already shortened')).toBe(link?.shortUrl);
    expect(await statusOf(popup)).toContain('This link comes from an imported file.');
    expect(await findViolations(popup)).toEqual([]);
    await press(popup, 'Copy');
    await expectStatus(popup, 'Already shortened, link copied');
    expect(await fixture.chromium.readClipboard()).toBe(link?.shortUrl);
  });

  test('can be replaced by a new one in the popup', async () => {
    const popup = await openPopup(fixture);
    await shownLink(popup, 'Already shortened');
    await press(popup, 'Create another');
    const made = await shownLink(popup, 'Short link copied');
    expect(made).not.toBe(link?.shortUrl);
    await popup.close();
    expect(await shownLink(await openPopup(fixture), 'Already shortened, link copied')).toBe(made);
  });

  test('is never copied without the popup: a new one is created', async () => {
    await fixture.chromium.clickContextMenu({ menuItemId: 'shorten-page' }, fixture.page);
    await expect.poll(() => notifications(fixture)).toHaveLength(1);
    const copied = await fixture.chromium.readClipboard();
    expect(copied).not.toBe(link?.shortUrl);
    expect(await targetOf(copied)).toBe(fixture.page.url());
  });
});

test('a file with invalid rows imports the valid ones and lists the others', async () => {
  page = await openLinks(fixture);
  await choose(
    [
      'title,shortUrl,originalUrl,created',
      'Good,https://curt.example/good,https://example.com/,2030-01-31T12:00:00Z',
      'Bad,javascript:alert(1),https://example.com/,2030-01-31T12:00:00Z',
      'Bad,https://curt.example/bad,,soon',
    ].join('\n'),
  );
  await expectText(page, 'Added: 1. Already in the list: 0.');
  await expectText(page, 'Skipped: 2.');
  await expectText(page, 'Line 3: shortUrl missing or invalid.');
  await expectText(page, 'Line 4: originalUrl and created missing or invalid.');
  expect(await titles(page)).toEqual(['Good']);
  expect(await findViolations(page)).toEqual([]);
});

test.each([
  ['', 'The file is empty.'],
  ['name,price\nbread,2', 'This file doesn’t contain a list of links.'],
  [
    '{"format":"curt-links","version":9,"links":[]}',
    'This file was exported by a newer version of Curt.',
  ],
])('a file with %j is rejected with a reason', async (content, words) => {
  page = await openLinks(fixture);
  await choose(content);
  await expectText(page, words);
  expect(await savedLinks(fixture)).toEqual([]);
});

describe('the menu for files', () => {
  const focused = () => page.evaluate(() => document.activeElement?.textContent);
  const isOpen = () =>
    page.$eval('[aria-haspopup=menu]', (button) => button.getAttribute('aria-expanded') === 'true');
  const ITEMS = ['Export as JSON', 'Export as CSV', 'Import a file…'];

  beforeEach(async () => {
    page = await openLinks(fixture);
    await page.focus('[aria-haspopup=menu]');
  });

  test('opens and moves with the keyboard, and returns the focus', async () => {
    for (const key of ['Enter', 'Space', 'ArrowDown'] as const) {
      await page.keyboard.press(key);
      await expect.poll(focused).toBe(ITEMS[0]);
      expect(await isOpen()).toBe(true);
      await page.keyboard.press('Escape');
      expect(await focused()).toBe('Export and import');
      expect(await isOpen()).toBe(false);
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
    expect(await focused()).toBe('Statistics');
    await page.click('[aria-haspopup=menu]');
    await expect.poll(isOpen).toBe(true);
    await page.click('[type=search]');
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

  test('opens the file picker', async () => {
    const path = join(folder, 'picked');
    await writeFile(path, '');
    const [chooser] = await Promise.all([
      page.waitForFileChooser({ timeout: 10_000 }),
      press(page, 'Export and import').then(() => press(page, 'Import a file…')),
    ]);
    await chooser.accept([path]);
    await expectText(page, 'The file is empty.');
    expect(await focused()).toBe('Export and import');
  });
});
