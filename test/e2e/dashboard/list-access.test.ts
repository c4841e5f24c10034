import type { Page } from 'puppeteer-core';
import { expect, test } from 'vitest';
import { createClient } from '../../../shared/client.ts';
import { dataOf } from '../../support/data-of.ts';
import { click } from '../support/browser/click.ts';
import {
  openAccount,
  press,
  signInWith,
  useDashboard,
} from '../support/dashboard/dashboard-fixture.ts';
import { chooseInRow, searchFor } from '../support/extension/links-page.ts';
import { intercept } from '../support/servers/outside.ts';

const fixture = useDashboard();

/** The list of a new account with some links, the last one newest. */
async function openList(count: number): Promise<Page> {
  const { authToken } = await openAccount(fixture.server, {
    originalUrl: 'https://example.com',
    title: 'Link 1',
  });
  const bodies = Array.from({ length: count - 1 }, (_, index) => ({
    originalUrl: 'https://example.com',
    title: `Link ${index + 2}`,
  }));
  const client = createClient(fixture.server);
  if (bodies.length > 0) dataOf(await client.createLinks({ body: bodies, token: authToken }));
  const page = await fixture.chromium.openPage('about:blank');
  await signInWith(page, fixture.server, authToken);
  await page.waitForSelector('.row');
  return page;
}

/** Presses a key as a keyboard with another script reports it. */
async function pressAs(page: Page, key: string, code: string, ctrlKey = false): Promise<void> {
  await page.evaluate(
    (init) => {
      const target = document.activeElement ?? document.body;
      target.dispatchEvent(
        new KeyboardEvent('keydown', { ...init, bubbles: true, cancelable: true }),
      );
    },
    { key, code, ctrlKey },
  );
}

const focusedRow = (page: Page) =>
  page.evaluate(() => document.activeElement?.closest('.row')?.querySelector('h2')?.textContent);

/** What a screen reader is told. */
const statuses = (page: Page) =>
  page.$$eval('[role="status"]', (all) => all.map(({ textContent }) => textContent));

test('single keys and Ctrl+K work on a keyboard with another script', async () => {
  const page = await openList(2);
  await page.$eval('h1', (heading) => heading.focus());
  await pressAs(page, 'ت', 'KeyJ');
  await expect.poll(() => focusedRow(page)).toBe('Link 2');
  await pressAs(page, 'ت', 'KeyJ');
  await expect.poll(() => focusedRow(page)).toBe('Link 1');
  await pressAs(page, 'ن', 'KeyK');
  await expect.poll(() => focusedRow(page)).toBe('Link 2');
  await pressAs(page, 'ء', 'KeyX');
  await page.waitForSelector('.bulk-bar');
  await pressAs(page, 'ن', 'KeyK', true);
  await page.waitForSelector('.palette [role=combobox]');
});

test('a screen reader hears each result of a search, also none and the same number again', async () => {
  const page = await openList(3);
  await page.evaluate(() => {
    const heard: string[] = [];
    Object.assign(globalThis, { heard });
    new MutationObserver((records) => {
      for (const { target, addedNodes } of records) {
        const element = target instanceof Element ? target : target.parentElement;
        const region = element?.closest('[role="status"]');
        if (region && addedNodes.length > 0) heard.push(region.textContent);
      }
    }).observe(document.body, { childList: true, subtree: true, characterData: true });
  });
  const heard = () => page.evaluate(() => (globalThis as unknown as { heard: string[] }).heard);
  await searchFor(page, 'Link 1');
  await expect.poll(heard).toEqual(['Link 1: 1 link']);
  // Generated aliases have no 1: no other link is found.
  await searchFor(page, '1 Link');
  await expect.poll(heard).toEqual(['Link 1: 1 link', '1 Link: 1 link']);
  await searchFor(page, 'nothing');
  await expect.poll(async () => (await heard()).at(-1)).toMatch(/nothing/);
  await searchFor(page, '');
  await expect.poll(async () => (await heard()).at(-1)).toBe('3 links');
});

test('after Undo the focus is on the restored row, also far down the list', async () => {
  const page = await openList(60);
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  await page.waitForSelector('.row[data-index="40"]');
  await page.$eval('.row[data-index="40"] [data-control="select"]', (box) =>
    (box as HTMLInputElement).click(),
  );
  const title = await page.$eval('.row[data-index="40"] h2', (heading) => heading.textContent);
  await page.$eval('.row[data-index="40"] [data-control="open"]', (link) =>
    (link as HTMLElement).focus(),
  );
  await page.keyboard.press('Delete');
  await page.evaluate(() => scrollTo(0, 0));
  await press(page, 'Undo');
  await expect.poll(() => focusedRow(page)).toBe(title);
  const isInSight = () =>
    page.evaluate(() => {
      const { top, bottom } = document.activeElement?.getBoundingClientRect() ?? new DOMRect();
      return top >= 0 && bottom <= innerHeight;
    });
  await expect.poll(isInSight).toBe(true);
});

test('after “Select none” the focus is on a row in sight', async () => {
  const page = await openList(60);
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight / 2));
  await page.waitForSelector('.row[data-index="25"]');
  await page.$eval('.row[data-index="25"] [data-control="select"]', (box) => {
    box.scrollIntoView({ block: 'center' });
    (box as HTMLInputElement).click();
  });
  await press(page, 'Clear selection');
  await expect.poll(() => page.$('.bulk-bar')).toBeNull();
  const title = await page.$eval('.row[data-index="25"] h2', (heading) => heading.textContent);
  await expect.poll(() => focusedRow(page)).toBe(title);
});

test.each([
  { width: 320, height: 256 },
  { width: 640, height: 290 },
])('all entries of menus can be reached in a window of %o', async (viewport) => {
  const page = await openList(12);
  await page.setViewport(viewport);
  await page.$eval('.row[data-index="0"] [data-control="select"]', (box) =>
    (box as HTMLInputElement).click(),
  );
  await page.waitForSelector('.bulk-bar');
  const menus = ['.bulk-narrow [aria-haspopup="menu"]', '.row [aria-haspopup="menu"]'];
  for (const button of menus) {
    await page.$eval(button, (element) => {
      element.scrollIntoView({ block: 'center' });
      (element as HTMLElement).click();
    });
    await page.waitForSelector('[role="menuitem"]:focus');
    const count = (await page.$$('[role="menuitem"]')).length;
    expect(count).toBeGreaterThan(3);
    for (let index = 0; index < count; index++) {
      const seen = await page.evaluate(() => {
        const item = document.activeElement as HTMLElement;
        const { left, top, width, height } = item.getBoundingClientRect();
        const at = document.elementFromPoint(left + width / 2, top + height / 2);
        return { label: item.textContent, isSeen: item.contains(at), top, height };
      });
      expect(seen).toMatchObject({ isSeen: true });
      await page.keyboard.press('ArrowDown');
    }
    await page.keyboard.press('Escape');
    await page.waitForSelector('[role="menu"]', { hidden: true });
  }
});

test('rows of the search before can’t be selected when a search fails', async () => {
  const page = await openList(3);
  await intercept(page, (request) =>
    request.url().includes('/api/links') ? request.abort() : request.continue(),
  );
  await searchFor(page, 'other');
  await page.waitForSelector('.error-message:not(:empty)');
  await page.$eval('.row [data-control="select"]', (box) => (box as HTMLInputElement).click());
  expect(
    await page.$eval('.row [data-control="select"]', (box) => (box as HTMLInputElement).checked),
  ).toBe(false);
  expect(await page.$('.bulk-bar')).toBeNull();
});

test('a link is copied as Markdown with its title', async () => {
  const page = await openList(1);
  const row = '.row[data-index="0"]';
  const [title, shortUrl] = await Promise.all([
    page.$eval(`${row} h2`, (heading) => heading.textContent),
    page.$eval(`${row} .short-url`, (link) => link.getAttribute('title')),
  ]);
  await chooseInRow(page, 'Copy as Markdown');
  // Reading the clipboard takes the focus, without which the page can't write to it.
  await expect.poll(() => statuses(page)).toContain('Short link copied');
  expect(await fixture.chromium.readClipboard()).toBe(`[${title}](${shortUrl})`);
});

test('short links are copied on plain HTTP, where browsers have no clipboard for pages', async () => {
  const page = await openList(2);
  await page.evaluate(() => {
    Object.defineProperty(Navigator.prototype, 'clipboard', { value: undefined });
  });
  const shortUrl = await page.$eval('.row .short-url', (link) => link.getAttribute('title'));
  await click(page, '.row[data-index="0"] [data-control="copy"]');
  await expect.poll(() => statuses(page)).toContain('Short link copied');
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('data-control'));
  await expect.poll(focused).toBe('copy');
  expect(await fixture.chromium.readClipboard()).toBe(shortUrl);
});

test('where nothing can be copied, the list asks for a click on “Copy”, not to try again', async () => {
  const page = await openList(2);
  await page.evaluate(() => {
    Object.defineProperty(Navigator.prototype, 'clipboard', { value: undefined });
    document.execCommand = () => false;
  });
  await click(page, '.row[data-index="0"] [data-control="copy"]');
  const failure = () => page.$eval('.error-message', (message) => message.textContent);
  await expect.poll(failure).toBe('The link couldn’t be copied. Click “Copy”.');
});

test('Back, a reload and a second tab show the same links, and the place that the list was scrolled to', async () => {
  const page = await openList(100);
  await searchFor(page, 'Link');
  await page.locator('::-p-aria([name="Sort by"])').fill('alias');
  const searched = '?q=Link&sort=alias';
  await page.waitForFunction((query) => location.search === query, {}, searched);
  const isRead = () => page.$eval('.link-rows', (rows) => rows.getAttribute('aria-busy'));
  await expect.poll(isRead).toBe('false');
  await page.evaluate(() => scrollTo(0, 1500));
  await page.waitForFunction(() => history.state?.place?.top === 1500);
  const statistics = '.row[data-index="12"] [data-control="statistics"]';
  const title = await page.$eval('.row[data-index="12"] h2', (heading) => heading.textContent);
  await page.$eval(statistics, (link) => (link as HTMLElement).click());
  await page.waitForSelector('.statistics');
  await page.goBack();
  const titleAt = (tab: Page) =>
    tab.$eval('.row[data-index="12"] h2', (heading) => heading.textContent).catch(() => '');
  const place = () => page.evaluate(() => [location.search, scrollY]);
  await expect.poll(() => titleAt(page)).toBe(title);
  await expect.poll(place).toEqual([searched, 1500]);
  await page.reload();
  await expect.poll(() => titleAt(page)).toBe(title);
  await expect.poll(place).toEqual([searched, 1500]);

  const tab = await fixture.chromium.openPage(page.url());
  await tab.waitForSelector('.row');
  expect(await tab.$eval('#search', (field) => (field as HTMLInputElement).value)).toBe('Link');
  // Back leads to the filters before.
  await page.bringToFront();
  await page.goBack();
  await page.waitForFunction(() => location.search === '?q=Link');
  await click(page, 'a[aria-current="page"]');
  await page.waitForFunction(
    () => document.querySelector<HTMLInputElement>('#search')?.value === '',
  );
});

test('a click on a title opens its form, and none on the short URL makes a visit', async () => {
  const page = await openList(1);
  const open = (await fixture.chromium.context.pages()).length;
  await click(page, '.row .short-url');
  await click(page, '.row h2 button');
  await page.waitForSelector('.link-editor-dialog[open]');
  // By now, the first click would have opened a tab.
  expect(await fixture.chromium.context.pages()).toHaveLength(open);
});
