import { expect, test } from 'vitest';
import { dataOf } from '../../support/data-of.ts';
import { translatePage } from '../support/checks/translate-page.ts';
import {
  openAccount,
  openSignedIn,
  press,
  signInWith,
  useDashboard,
} from '../support/dashboard/dashboard-fixture.ts';
import { visitAsMany } from '../support/dashboard/real-visits.ts';

const fixture = useDashboard();

const PERSON = {
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0',
};
const NAMES = ['One', 'Two', 'Three'];

/** The list of a new account with three links. */
async function openList() {
  const { page, complaints, client, token, link } = await openSignedIn(fixture);
  for (const title of NAMES) {
    dataOf(await client.createLink({ body: { originalUrl: 'https://example.com', title }, token }));
  }
  dataOf(await client.deleteLink({ alias: link.alias, token }));
  await page.reload();
  await page.waitForSelector('.row[data-index="2"]');
  return { page, complaints };
}

test.each(['replaced', 'removed', 'moved'] as const)(
  'texts of the list change in a page whose texts a translator has %s',
  async (way) => {
    const { page, complaints } = await openList();
    const textIn = (selector: string) =>
      page.$eval(selector, (element) => element.textContent).catch(() => undefined);

    const search = (words: string) =>
      page.$eval(
        '[type="search"]',
        (field, words) => {
          (field as HTMLInputElement).value = words;
          field.dispatchEvent(new InputEvent('input', { bubbles: true }));
        },
        words,
      );
    const select = (box: string) => page.$eval(box, (input) => (input as HTMLInputElement).click());
    await translatePage(page, way);
    await select('.row[data-index="0"] [data-control="select"]');
    await expect.poll(() => textIn('.bulk-bar [role="status"]')).toBe('«Selected: 1 link»');
    await select('.row[data-index="1"] [data-control="select"]');
    await expect.poll(() => textIn('.bulk-bar [role="status"]')).toBe('«Selected: 2 links»');
    await select('.row[data-index="2"] [data-control="select"]');
    await expect.poll(() => textIn('.bulk-bar [role="status"]')).toBe('«Selected: 3 links»');
    await expect.poll(() => textIn('.count')).toBe('«3 links»');

    // A text that goes, an element that takes its place, and rows that move up.
    await search('two');
    await expect.poll(() => textIn('.count')).toBe('«1 link»');
    await expect.poll(() => textIn('.row h2')).toBe('«Two»');
    await search('nothing like it');
    await expect.poll(() => textIn('.count')).toBe('');
    await search('');
    await expect.poll(() => textIn('.count')).toBe('«3 links»');
    const titles = () =>
      page.$$eval('.row h2', (headings) => headings.map((one) => one.textContent));
    await expect.poll(titles).toEqual(NAMES.map((name) => `«${name}»`).reverse());
    expect(complaints).toEqual([]);
  },
);

test('a translator can show the original texts again', async () => {
  const { page } = await openList();
  await page.evaluate(() => {
    const text = document.querySelector('.count')?.firstChild;
    const font = document.createElement('font');
    font.textContent = 'Drei Links';
    text?.replaceWith(font);
    // After the page has seen it.
    setTimeout(() => font.replaceWith(text as Node));
  });
  await expect.poll(() => page.$eval('.count', (count) => count.innerHTML)).toBe('3 links');
});

test('numbers of statistics change in a translated page', async () => {
  const link = await openAccount(fixture.server);
  await visitAsMany(fixture.server, link);
  const page = await fixture.chromium.openPage('about:blank');
  await signInWith(page, fixture.server, link.authToken);
  await page.goto(`${fixture.server.baseUrl}/dashboard/statistics`);
  const visits = () =>
    page.$eval('.totals dd', (element) => element.textContent).catch(() => undefined);
  await expect.poll(visits).toBe('3');
  await translatePage(page);
  await expect.poll(visits).toBe('«3»');
  for (const _ of NAMES) await fetch(link.shortUrl, { headers: PERSON, redirect: 'manual' });
  await expect.poll(visits).toBe('«6»');
});

test('the notice of a sign-in form and its busy button change in a translated page', async () => {
  const page = await fixture.chromium.openPage(`${fixture.server.baseUrl}/dashboard`);
  await page.waitForSelector('input[name="token"]');
  await translatePage(page);
  await press(page, '«Sign in»');
  const issue = () => page.$eval('.issue', (element) => element.textContent).catch(() => undefined);
  await expect.poll(issue).toMatch(/^«.*»$/);
  const first = await issue();
  await page.type('input[name="token"]', `curt_${'x'.repeat(43)}`);
  await press(page, '«Sign in»');
  await expect.poll(issue).toMatch(/^«.*»$/);
  expect(await issue()).not.toBe(first);
});
