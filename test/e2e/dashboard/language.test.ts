import type { Page } from 'puppeteer-core';
import { expect, test } from 'vitest';
import {
  headingOf,
  openAccount,
  signInWith,
  textOf,
  useDashboard,
} from '../support/dashboard/dashboard-fixture.ts';

const fixture = useDashboard();

/** A tab of a browser with these languages. */
async function openTab(languages: string[]): Promise<Page> {
  const page = await fixture.chromium.openPage('about:blank');
  await page.evaluateOnNewDocument((tags) => {
    Object.defineProperty(navigator, 'languages', { get: () => tags });
  }, languages);
  await page.setExtraHTTPHeaders({ 'accept-language': languages.join(',') });
  return page;
}

const languageOf = (page: Page) => page.$eval('html', (html) => html.lang);

test('a language chosen in the dashboard is kept, also on pages for visitors, and the other way round', async () => {
  const page = await openTab(['en-US', 'en']);
  await page.goto(`${fixture.server.baseUrl}/dashboard`);
  await page.waitForSelector('#language');
  await Promise.all([page.waitForNavigation(), page.select('#language', 'de')]);
  await page.waitForSelector('#language');
  expect(await headingOf(page)).toBe('Anmelden');
  await page.goto(`${fixture.server.baseUrl}/nothing-here`);
  expect(await languageOf(page)).toBe('de');

  await Promise.all([page.waitForNavigation(), page.click('.languages [lang="fr"]')]);
  expect(page.url()).toBe(`${fixture.server.baseUrl}/nothing-here`);
  expect(await languageOf(page)).toBe('fr');
  await page.goto(`${fixture.server.baseUrl}/dashboard`);
  await page.waitForSelector('#language');
  expect(await languageOf(page)).toBe('fr');

  for (const path of ['/dashboard?lang=ja', '/?lang=ja']) {
    await page.goto(`${fixture.server.baseUrl}${path}`);
    await page.waitForSelector('h1');
    expect(await languageOf(page)).toBe('ja');
  }
  await page.deleteCookie({ name: 'curt-language', url: fixture.server.baseUrl });
});

test.each([
  [['en-GB', 'en'], /^\d{1,2} \w+ \d{4} at \d\d:\d\d$/],
  [['en-AU'], /^\d{1,2} \w+ \d{4} at \d{1,2}:\d\d\s[ap]m$/],
  [['sv'], /^\d{1,2} \w+ \d{4} at \d\d:\d\d$/],
  [['en-US', 'en'], /^\w+ \d{1,2}, \d{4} at \d{1,2}:\d\d\s[AP]M$/],
])('dates have the format of the browser’s region: %j', async (languages, format) => {
  const { authToken } = await openAccount(fixture.server);
  const page = await openTab(languages);
  await signInWith(page, fixture.server, authToken);
  await page.waitForSelector('.row time');
  expect(await page.$eval('.row time', (time) => time.getAttribute('title'))).toMatch(format);
  expect(await textOf(page)).toContain('Language');
});
