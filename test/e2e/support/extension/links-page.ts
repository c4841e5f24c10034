import type { Page } from 'puppeteer-core';
import type { browser } from 'wxt/browser';
import { newestFirst } from '../../../../shared/links/link-address.ts';
import type { LinkRecord } from '../../../../shared/links/link-record.ts';
import { aLink } from '../../../unit/extension/support/a-link.ts';
import { type Fixture, inWorker, press } from './extension-fixture.ts';

/** In the extension's own worker, where the functions handed to `evaluate` run. */
declare const chrome: typeof browser;

/** A link as the extension stores it. The server need not have it. */
export function savedLink(alias: string, more: Partial<LinkRecord> = {}): LinkRecord {
  return aLink({
    shortUrl: `https://curt.example/${alias}`,
    originalUrl: `https://example.com/${alias}`,
    ...more,
  });
}

/** Links a minute apart, the last one newest. */
export function manyLinks(count: number): LinkRecord[] {
  return Array.from({ length: count }, (_, index) =>
    savedLink(`many-${index}`, {
      title: `Page number ${index} of a long list`,
      created: new Date(Date.UTC(2030, 0, 1, 0, index)).toISOString(),
    }),
  );
}

/** Saves links of the server in the settings, newest first, as if the server were away. */
export function saveLinks(fixture: Fixture, links: LinkRecord[]): Promise<void> {
  const { baseUrl: serverOrigin } = fixture.server;
  const saved = links
    .map((link) => ({ ...link, serverOrigin, requestedUrl: link.originalUrl }))
    .sort(newestFirst);
  return inWorker(fixture, (items) => chrome.storage.local.set(items), {
    savedLinks: { [serverOrigin]: saved },
  });
}

export async function openLinks({ chromium }: Fixture): Promise<Page> {
  const page = await chromium.openExtensionPage('links.html');
  await page.waitForSelector('main');
  return page;
}

/** Titles of the rendered rows, from the top. */
export function titles(page: Page): Promise<string[]> {
  return page.$$eval('.row', (rows) =>
    rows
      .map((row) => ({
        place: Number(row.getAttribute('aria-posinset')),
        title: row.querySelector('h2')?.textContent ?? '',
      }))
      .sort((one, other) => one.place - other.place)
      .map(({ title }) => title),
  );
}

/** Opens the menu of a row, counted from the top, and chooses an item. */
export async function chooseInRow(page: Page, name: string, place = 1): Promise<void> {
  const row = `.row[aria-posinset="${place}"]`;
  await page.waitForSelector(row);
  await page.$eval(`${row} [data-control=menu]`, (button) => (button as HTMLElement).click());
  await press(page, name);
}

/** Replaces the text in the search field, at once: after a pause between two keys, the list is searched. */
export async function searchFor(page: Page, words: string): Promise<void> {
  await page.$eval('[type=search]', (field) => {
    (field as HTMLInputElement).focus();
    (field as HTMLInputElement).select();
  });
  if (words) await page.keyboard.sendCharacter(words);
  else await page.keyboard.press('Backspace');
}

export async function expectText(page: Page, words: string): Promise<void> {
  await page
    // A page on its way to the next has no body for a moment.
    .waitForFunction((wanted) => document.body?.innerText.includes(wanted), {}, words)
    .catch(async (cause: unknown) => {
      const text = await page.evaluate(() => document.body?.innerText);
      throw new Error(`Expected "${words}" on the page, but found "${text}"`, { cause });
    });
}
