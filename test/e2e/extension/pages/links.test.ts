import type { Page } from 'puppeteer-core';
import { afterEach, describe, expect, test } from 'vitest';
import type { browser } from 'wxt/browser';
import { findFaults, findViolations } from '../../support/checks/accessibility.ts';
import { translatePage } from '../../support/checks/translate-page.ts';
import {
  inWorker,
  openPopup,
  press,
  pressToLeave,
  saveSettings,
  shownLink,
  useFixture,
} from '../../support/extension/extension-fixture.ts';
import {
  expectText,
  manyLinks,
  openLinks,
  savedLink,
  saveLinks,
  searchFor,
  titles,
} from '../../support/extension/links-page.ts';

/** In the extension's own worker, where the functions handed to `evaluate` run. */
declare const chrome: typeof browser;

const fixture = useFixture();
let page: Page | undefined;

afterEach(async () => {
  await page?.close();
  page = undefined;
});

/** Shortens a page of the site with the toolbar button. @returns the short URL */
async function shorten(path: string): Promise<string> {
  await fixture.page.goto(`${fixture.site.origin}${path}`);
  const popup = await openPopup(fixture);
  const shortUrl = await shownLink(popup, 'Short link copied');
  await popup.close();
  return shortUrl;
}

/** Waits for the My links tab that an action opens. */
async function opened(act: () => Promise<void>): Promise<Page> {
  const opening = fixture.chromium.findPage((one) => one.url().includes('/links.html'));
  await act();
  const found = await opening;
  await found.waitForSelector('main');
  return found;
}

describe('the list of links', () => {
  test('opens from the popup and shows links newest first', async () => {
    const first = await shorten('/first-page');
    const second = await shorten('/second-page');
    const popup = await openPopup(fixture);
    await shownLink(popup, 'Already shortened, link copied');
    page = await opened(() => pressToLeave(popup, 'My links'));
    await expect
      .poll(() => titles(page as Page))
      .toEqual(['Page /second-page', 'Page /first-page']);
    await expectText(page, '2 links');
    for (const [place, shortUrl] of [second, first].entries()) {
      const row = await page.$$eval('.row', (rows, at) => rows[at]?.textContent, place);
      expect(row).toContain(shortUrl.replace('http://', ''));
      expect(row).toContain(`${fixture.site.origin.replace('http://', '')}/`);
    }
  });

  test('opens from the toolbar button’s menu, only once', async () => {
    const click = () =>
      fixture.chromium.clickContextMenu({ menuItemId: 'open-links' }, fixture.page);
    page = await opened(click);
    await click();
    // The click was in another tab.
    const activeUrl = () =>
      inWorker(fixture, async () => (await chrome.tabs.query({ active: true }))[0]?.url);
    await expect.poll(activeUrl).toContain('/links.html');
    const open = fixture.chromium.browser
      .targets()
      .filter((target) => target.url().includes('/links.html'));
    expect(open).toHaveLength(1);
  });

  test('opens from the settings', async () => {
    page = await fixture.chromium.openExtensionPage('options.html');
    await page.waitForSelector('main');
    await press(page, 'My links');
    await expectText(page, 'No links yet');
    expect(await findViolations(page)).toEqual([]);
  });

  test('marks links that have expired, have a password or a wait', async () => {
    await saveLinks(fixture, [
      savedLink('gone', { expiresAt: '2020-01-31T12:00:00.000Z' }),
      savedLink('going', { expiresAt: '2040-01-31T12:00:00.000Z' }),
      savedLink('waiting', { hasPassword: true, waitTimer: 7 }),
    ]);
    page = await openLinks(fixture);
    await expectText(page, '3 links');
    const factsOf = (title: string) =>
      (page as Page).$$eval(
        '.row',
        (rows, wanted) =>
          [
            ...(rows.find((row) => row.textContent?.includes(wanted))?.querySelectorAll('.fact') ??
              []),
          ].map((fact) => fact.textContent),
        title,
      );
    expect(await factsOf('/gone')).toEqual([expect.stringMatching(/^Expired Jan 31, 2020/)]);
    expect(await factsOf('/going')).toEqual([expect.stringMatching(/^Expires Jan 31, 2040/)]);
    expect(await factsOf('/waiting')).toEqual(['Password', 'Wait before redirect: 7 sec7 sec']);
  });

  test('has rows of one height, which open short URLs on click and decode targets', async () => {
    await saveLinks(fixture, [
      savedLink('new', { created: '2030-03-02T12:00:00.000Z' }),
      savedLink('newer', {
        created: '2030-03-02T13:00:00.000Z',
        originalUrl: 'https://example.com/m%C3%BCnchen/%E6%97%A5',
      }),
      savedLink('old', {
        created: '2029-01-31T12:00:00.000Z',
        title: 'Old',
        expiresAt: '2040-01-31T12:00:00.000Z',
        maxVisits: 3,
        tags: ['A', 'B', 'C', 'D'],
      }),
      savedLink('bare', {
        created: '2028-01-31T12:00:00.000Z',
        originalUrl: 'https://www.example.com/',
      }),
    ]);
    page = await openLinks(fixture);
    await expectText(page, '4 links');
    const rows = await page.$$eval('.row', (all) =>
      all.map((row) => ({
        initial: row.querySelector('.host-initial')?.textContent,
        title: row.querySelector('h2')?.textContent,
        url: row.querySelector<HTMLElement>('.short-url')?.title,
        target: row.querySelector('.target')?.textContent,
        created: row.querySelector('time')?.textContent,
      })),
    );
    // The host is not repeated where it stands for a title.
    const untitled = { initial: 'E', title: 'example.com' };
    const short = (alias: string) => `https://curt.example/${alias}`;
    expect(rows).toEqual([
      { ...untitled, url: short('newer'), target: '/münchen/日', created: 'Mar 2, 2030' },
      { ...untitled, url: short('new'), target: '/new', created: 'Mar 2, 2030' },
      {
        ...{ initial: 'E', title: 'Old', url: short('old') },
        ...{ target: 'example.com/old', created: 'Jan 31, 2029' },
      },
      {
        ...{ initial: 'E', title: 'www.example.com', url: short('bare') },
        ...{ target: undefined, created: 'Jan 31, 2028' },
      },
    ]);
    for (const width of [1280, 360]) {
      await page.setViewport({ width, height: 900 });
      const heights = await page.$$eval('.link-row', (all) => all.map((row) => row.clientHeight));
      expect(new Set(heights).size).toBe(1);
      expect(await findFaults(page)).toEqual([]);
    }
    // On a phone, the first link is in the upper part of the screen.
    const top = await page.$eval('.link-row', (row) => row.getBoundingClientRect().top);
    expect(top).toBeLessThanOrEqual(200);
  });

  test('searches for all words while typing, ignoring case and accents', async () => {
    await saveLinks(fixture, [
      savedLink('menu', { title: 'Café Élan: the menu' }),
      savedLink('plan', {
        title: 'Launch plan',
        originalUrl: 'https://example.com/%E6%97%A5%E6%9C%AC',
      }),
      savedLink('cafe-plan', { title: 'Other' }),
    ]);
    page = await openLinks(fixture);
    await expect
      .poll(() => (page as Page).evaluate(() => document.activeElement?.id))
      .toBe('search');
    await page.keyboard.type('ELAN cafe');
    await expect.poll(() => titles(page as Page)).toEqual(['Café Élan: the menu']);
    await expectText(page, '1 link');
    await searchFor(page, 'plan');
    await expect
      .poll(() => titles(page as Page))
      .toEqual(expect.arrayContaining(['Launch plan', 'Other']));
    await searchFor(page, '日本');
    await expect.poll(() => titles(page as Page)).toEqual(['Launch plan']);
    await searchFor(page, 'nowhere');
    await expectText(page, 'No results for “nowhere”');
    await press(page, 'Show all links');
    await expect.poll(async () => (await titles(page as Page)).length).toBe(3);
  });

  test('copies a link in the chosen format', async () => {
    const settings = { serverOrigin: fixture.server.baseUrl, copyFormat: 'markdown' };
    await saveSettings(fixture, settings);
    await saveLinks(fixture, [savedLink('notes', { title: 'My notes' })]);
    page = await openLinks(fixture);
    await press(page, 'Copy');
    await page.waitForFunction(() =>
      [...document.querySelectorAll('[role=status]')].some(
        (one) => one.textContent === 'Short link copied',
      ),
    );
    expect(await fixture.chromium.readClipboard()).toBe('[My notes](https://curt.example/notes)');
  });

  test('shows links created elsewhere', async () => {
    page = await openLinks(fixture);
    await expectText(page, 'No links yet');
    await shorten('/made-meanwhile');
    await expect.poll(() => titles(page as Page)).toEqual(['Page /made-meanwhile']);
  });
});

describe('a long list of links', () => {
  test('can be walked by keyboard, with the focus always visible', async () => {
    await saveLinks(fixture, manyLinks(200));
    page = await openLinks(fixture);
    await expectText(page, '200 links');
    await page.$eval('[type=search]', (field) => (field as HTMLElement).focus());
    // From the search field over four controls to the first row. Each row has five controls.
    // All at once: rows must not depend on frames, which are late on a busy machine.
    const { keyboard } = page;
    await Promise.all(Array.from({ length: 4 + 5 * 40 }, () => keyboard.press('Tab')));
    const focused = await page.evaluate(() => {
      const row = document.activeElement?.closest('.row');
      const { top, bottom } = row?.getBoundingClientRect() ?? { top: -1, bottom: -1 };
      return {
        place: row?.getAttribute('aria-posinset'),
        all: row?.getAttribute('aria-setsize'),
        isInSight: top >= 0 && bottom <= innerHeight,
      };
    });
    expect(focused).toEqual({ place: '40', all: '200', isInSight: true });
    // Scrolled out of view, it is still rendered and focused.
    await page.evaluate(() => scrollTo(0, 0));
    await expect
      .poll(async () => (await titles(page as Page))[0])
      .toBe('Page number 199 of a long list');
    expect(
      await page.evaluate(() =>
        document.activeElement?.closest('.row')?.getAttribute('aria-posinset'),
      ),
    ).toBe('40');
  });
});

test('texts of the list change in a page that a browser has translated', async () => {
  await saveLinks(fixture, manyLinks(3));
  page = await openLinks(fixture);
  const list = page;
  await list.waitForSelector('.row[data-index="2"]');
  await translatePage(list);
  for (const index of [0, 1, 2]) {
    const box = `.row[data-index="${index}"] [data-control="select"]`;
    await list.$eval(box, (input) => (input as HTMLInputElement).click());
    const bar = () => list.$eval('.bulk-bar [role="status"]', (status) => status.textContent);
    await expect
      .poll(bar)
      .toBe(index === 0 ? '«Selected: 1 link»' : `«Selected: ${index + 1} links»`);
  }
});
