import type { Page } from 'puppeteer-core';
import { describe, expect, test } from 'vitest';
import { click } from '../support/browser/click.ts';
import { findColorFaults, findFaults } from '../support/checks/accessibility.ts';
import { findLayoutFaults } from '../support/checks/layout-faults.ts';
import { openParts } from '../support/checks/rules-editor.ts';
import { findWalkFaults } from '../support/checks/walk-by-keyboard.ts';
import { headingOf, openAccount, useDashboard } from '../support/dashboard/dashboard-fixture.ts';

const PHONE = { width: 320, height: 640 };
const DESKTOP = { width: 1280, height: 800 };

const fixture = useDashboard();

/** A tab whose user reads this language. */
async function openTab(language: string, token?: string): Promise<Page> {
  const page = await fixture.chromium.openPage('about:blank');
  await page.evaluateOnNewDocument(
    (tag, stored) => {
      Object.defineProperty(navigator, 'languages', { get: () => [tag] });
      if (stored !== null && location.protocol === 'http:') {
        sessionStorage.setItem('curt-token', stored);
      }
    },
    language,
    token ?? null,
  );
  return page;
}

type DashboardPage = {
  name: string;
  path: string;
  /** There once the page has read what it is about. */
  shown: string;
  prepare?: (page: Page) => Promise<unknown>;
};

const PAGES: DashboardPage[] = [
  // The rows load before it.
  { name: 'links', path: '', shown: '.tag-field .input' },
  { name: 'statistics', path: '/statistics', shown: '.statistics p.card' },
  {
    name: 'account, with a new token',
    path: '/account',
    shown: '.list-row',
    prepare: async (page) => {
      await page.type('input[name="token-name"]', 'Phone');
      await page.keyboard.press('Enter');
      await page.waitForSelector('input[name="new-token"]');
      await click(page, '[aria-expanded]');
      await page.waitForSelector('.qr-dark[d^="M"]');
    },
  },
  {
    name: 'new link, with all options',
    path: '/create',
    shown: 'summary',
    prepare: async (page) => {
      await openParts(page);
      await page.type('input[name="customAlias"]', 'not valid');
      await click(page, '.button.primary');
      await page.waitForSelector('[aria-invalid="true"]');
    },
  },
  {
    name: 'link just created',
    path: '/share?url=https%3A%2F%2Fexample.com%2Fshared',
    shown: '.button.primary',
    prepare: async (page) => {
      await click(page, '.button.primary');
      await page.waitForSelector('.created-url');
    },
  },
  { name: 'not found', path: '/nothing', shown: 'nav' },
];

describe.each(['en', 'de', 'ar'])('in %s', (language) => {
  // axe finds the same in every language and width.
  const findFaultsOnce = language === 'en' ? findFaults : findLayoutFaults;

  test.each(PAGES)('the page is accessible and fits: $name', async ({ path, shown, prepare }) => {
    const { authToken } = await openAccount(fixture.server);
    const page = await openTab(language, authToken);
    await page.setViewport(DESKTOP);
    await page.goto(`${fixture.server.baseUrl}/dashboard${path}`);
    await page.waitForSelector(shown);
    await prepare?.(page);
    expect(await page.evaluate(() => document.documentElement.dir)).toBe(
      language === 'ar' ? 'rtl' : 'ltr',
    );
    expect(await findFaultsOnce(page)).toEqual([]);
    if (language === 'en') expect(await findColorFaults(page)).toEqual([]);
    // German runs in the same direction as English.
    if (language !== 'de') expect(await findWalkFaults(page)).toEqual([]);
    await page.setViewport(PHONE);
    expect(await findLayoutFaults(page)).toEqual([]);
  });

  test('the sign-in is accessible and fits, also with an error', async () => {
    const page = await openTab(language);
    await page.setViewport(PHONE);
    await page.goto(`${fixture.server.baseUrl}/dashboard`);
    await page.waitForSelector('input[name="token"]');
    expect(await findFaultsOnce(page)).toEqual([]);
    await click(page, '.button.primary');
    await page.waitForSelector('[aria-invalid="true"]');
    expect(await findFaultsOnce(page)).toEqual([]);
    expect(await findWalkFaults(page)).toEqual([]);
  });
});

test('each page has its title, and the focus moves to its heading', async () => {
  const { authToken } = await openAccount(fixture.server);
  const page = await openTab('en', authToken);
  await page.goto(`${fixture.server.baseUrl}/dashboard`);
  await page.waitForSelector('nav');
  expect(await page.title()).toBe('Links – Curt');
  for (const title of ['Statistics', 'Account', 'New link']) {
    await click(page, `::-p-aria([name="${title}"][role="link"])`);
    await expect.poll(() => headingOf(page)).toBe(title);
    expect(await page.title()).toBe(`${title} – Curt`);
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('page-heading');
  }
  await page.goBack();
  await expect.poll(() => headingOf(page)).toBe('Account');
});

test('the first tab stop skips the navigation', async () => {
  const { authToken } = await openAccount(fixture.server);
  const page = await openTab('en', authToken);
  await page.goto(`${fixture.server.baseUrl}/dashboard/account`);
  await page.waitForSelector('.list-row');
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to content');
  await page.keyboard.press('Enter');
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('page-heading');
});

test.each(['', '/?lang=ar'])('the home page and its answer are accessible: %s', async (path) => {
  const page = await openTab('en');
  await page.setViewport(PHONE);
  await page.goto(`${fixture.server.baseUrl}${path}`);
  expect(await findFaults(page)).toEqual([]);
  await page.type('#original-url', 'https://example.com/accessible');
  await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
  await click(page, '.phone summary');
  expect(await findFaults(page)).toEqual([]);
});
