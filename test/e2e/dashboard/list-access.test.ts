import type { Page } from 'puppeteer-core';
import { expect, test } from 'vitest';
import { createClient } from '../../../shared/client.ts';
import { dataOf } from '../../support/data-of.ts';
import {
  openAccount,
  press,
  signInWith,
  useDashboard,
} from '../support/dashboard/dashboard-fixture.ts';
import { searchFor } from '../support/extension/links-page.ts';

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
  if (bodies.length > 0) dataOf(await client.shortenAll(bodies, { token: authToken }));
  const page = await fixture.chromium.openPage('about:blank');
  await signInWith(page, fixture.server, authToken);
  await page.waitForSelector('.row');
  return page;
}

/** Presses a key as a keyboard with another script, or Caps Lock, reports it. */
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

test.each([
  ['Arabic', 'ت', 'ن', 'ء'],
  ['Cyrillic', 'о', 'л', 'ч'],
  ['Greek', 'ξ', 'κ', 'χ'],
  ['Hebrew', 'ח', 'ל', 'ס'],
  ['Caps Lock', 'J', 'K', 'X'],
])('single keys and Ctrl+K work with %s', async (_, j, k, x) => {
  const page = await openList(2);
  await page.$eval('h1', (heading) => heading.focus());
  await pressAs(page, j, 'KeyJ');
  expect(await focusedRow(page)).toBe('Link 2');
  await pressAs(page, j, 'KeyJ');
  expect(await focusedRow(page)).toBe('Link 1');
  await pressAs(page, k, 'KeyK');
  expect(await focusedRow(page)).toBe('Link 2');
  await pressAs(page, x, 'KeyX');
  await page.waitForSelector('.bulk-bar');
  await pressAs(page, k, 'KeyK', true);
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
  expect(await focusedRow(page)).toBe(title);
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
    await page.waitForSelector('[role="menu"]');
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
  }
});

test('rows of the search before can’t be selected when a search fails', async () => {
  const page = await openList(3);
  await page.setRequestInterception(true);
  page.on('request', (request) => {
    void (request.url().includes('/api/links') ? request.abort() : request.continue());
  });
  await searchFor(page, 'other');
  await page.waitForSelector('.error-message:not(:empty)');
  await page.$eval('.row [data-control="select"]', (box) => (box as HTMLInputElement).click());
  expect(
    await page.$eval('.row [data-control="select"]', (box) => (box as HTMLInputElement).checked),
  ).toBe(false);
  expect(await page.$('.bulk-bar')).toBeNull();
});

test('short links are copied on plain HTTP, where browsers have no clipboard for pages', async () => {
  const page = await openList(2);
  await page.evaluate(() => {
    Object.defineProperty(Navigator.prototype, 'clipboard', { value: undefined });
  });
  const shortUrl = await page.$eval('.row .short-url', (link) => link.getAttribute('href'));
  await page.locator('.row[data-index="0"] [data-control="copy"]').click();
  const heard = () =>
    page.$$eval('[role="status"]', (all) => all.map(({ textContent }) => textContent));
  await expect.poll(heard).toContain('Short link copied');
  expect(await page.evaluate(() => document.activeElement?.getAttribute('data-control'))).toBe(
    'copy',
  );
  expect(await fixture.chromium.readClipboard()).toBe(shortUrl);
});

test('where nothing can be copied, the list asks for a click on “Copy”, not to try again', async () => {
  const page = await openList(2);
  await page.evaluate(() => {
    Object.defineProperty(Navigator.prototype, 'clipboard', { value: undefined });
    document.execCommand = () => false;
  });
  await page.locator('.row[data-index="0"] [data-control="copy"]').click();
  const failure = () => page.$eval('.error-message', (message) => message.textContent);
  await expect.poll(failure).toBe('The link couldn’t be copied. Click “Copy”.');
});
