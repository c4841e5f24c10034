import type { Page } from 'puppeteer-core';
import { afterEach, expect, test } from 'vitest';
import { createClient } from '../../../shared/client.ts';
import { dataOf } from '../../support/data-of.ts';
import { click } from '../support/browser/click.ts';
import {
  collectComplaints,
  follow,
  headingOf,
  openAccount,
  press,
  signInWith,
  textOf,
  useDashboard,
} from '../support/dashboard/dashboard-fixture.ts';

const fixture = useDashboard();

// Runs before the pages are closed.
afterEach(async () => {
  for (const page of await fixture.chromium.context.pages()) {
    if (!page.url().startsWith(fixture.server.baseUrl)) continue;
    await page.evaluate(() => localStorage.clear());
  }
});

const FIELD = 'input[name="token"]';
const storedIn = (page: Page) =>
  page.evaluate(() => ({
    tab: sessionStorage.getItem('curt-token'),
    device: localStorage.getItem('curt-token'),
  }));

async function openSignIn(path = '/dashboard'): Promise<Page> {
  const page = await fixture.chromium.openPage(`${fixture.server.baseUrl}${path}`);
  await page.waitForSelector(FIELD);
  return page;
}

test('a pasted token signs in until the tab is closed', async () => {
  const { authToken } = await openAccount(fixture.server);
  const page = await openSignIn();
  await page.type(FIELD, authToken);
  await page.keyboard.press('Enter');
  await page.waitForSelector('nav');
  expect(await headingOf(page)).toBe('Links');
  expect(await storedIn(page)).toEqual({ tab: authToken, device: null });
  await page.reload();
  await page.waitForSelector('nav');

  // A new tab gets it from this one, and a browser that is opened again has none.
  const otherTab = await fixture.chromium.openPage(`${fixture.server.baseUrl}/dashboard/account`);
  await otherTab.waitForSelector('nav');
  expect(await storedIn(otherTab)).toEqual({ tab: authToken, device: null });
  const { context } = fixture.chromium;
  for (const open of await context.pages()) {
    if (open.url().startsWith(fixture.server.baseUrl)) await open.close();
  }
  expect(await headingOf(await openSignIn())).toBe('Sign in');
});

test('a link that is opened in a new tab is signed in there', async () => {
  const { authToken } = await openAccount(fixture.server);
  const page = await fixture.chromium.openPage('about:blank');
  await signInWith(page, fixture.server, authToken);
  await page.waitForSelector('.row');
  const opened = new Promise<Page>((resolve) => {
    fixture.chromium.context.once('targetcreated', (target) => resolve(target.page() as never));
  });
  await page.keyboard.down('Control');
  await page.locator('.row [data-control="statistics"]').click();
  await page.keyboard.up('Control');
  const tab = await opened;
  await tab.waitForSelector('.statistics');
  expect(await headingOf(tab)).toBe('Link statistics');
});

test('a tab that somebody has signed out of gets no token of another tab', async () => {
  const { authToken } = await openAccount(fixture.server);
  const page = await fixture.chromium.openPage('about:blank');
  await signInWith(page, fixture.server, authToken);
  const tab = await fixture.chromium.openPage(`${fixture.server.baseUrl}/dashboard`);
  await tab.waitForSelector('nav');
  await press(tab, 'Sign out');
  await page.waitForSelector(FIELD);
  await tab.reload();
  await tab.waitForSelector(FIELD);
  expect(await storedIn(tab)).toEqual({ tab: null, device: null });
});

test('"Stay signed in on this device" keeps the token, and "Sign out" deletes it in all tabs', async () => {
  const { authToken } = await openAccount(fixture.server);
  const page = await fixture.chromium.openPage('about:blank');
  await signInWith(page, fixture.server, authToken, { stays: true });
  expect(await storedIn(page)).toEqual({ tab: null, device: authToken });

  const otherTab = await fixture.chromium.openPage(`${fixture.server.baseUrl}/dashboard/account`);
  await otherTab.waitForSelector('nav');
  expect(await headingOf(otherTab)).toBe('Account');
  await press(otherTab, 'Sign out');
  await otherTab.waitForSelector('dialog[open]');
  await expect.poll(() => textOf(otherTab)).toContain('If you have no copy of a key');
  await click(otherTab, 'dialog .button.danger');
  await otherTab.waitForSelector(FIELD);
  await expect.poll(() => textOf(otherTab)).toContain('You are signed out.');
  await page.waitForSelector(FIELD);
  expect(await storedIn(page)).toEqual({ tab: null, device: null });
});

test('the copied token of this server signs in, and one of another server is explained', async () => {
  const { authToken } = await openAccount(fixture.server);
  const page = await openSignIn();
  await page.type(FIELD, `curt:https://other.example#${authToken}`);
  await press(page, 'Sign in');
  await expect.poll(() => textOf(page)).toContain('This sign-in key is for other.example');
  await page.$eval(FIELD, (field) => (field as HTMLInputElement).select());
  await page.type(FIELD, `curt:${fixture.server.baseUrl}#${authToken}`);
  await press(page, 'Sign in');
  await page.waitForSelector('nav');
});

test('a token in the fragment leaves the address bar and the history, and needs a click', async () => {
  const { authToken } = await openAccount(fixture.server);
  const requested: string[] = [];
  const page = await fixture.chromium.openPage('about:blank');
  page.on('request', (request) => requested.push(request.url(), request.headers().referer ?? ''));
  await page.goto(`${fixture.server.baseUrl}/dashboard/account?from=phone#${authToken}`);
  await page.waitForSelector(FIELD);
  await expect
    .poll(() => page.url())
    .toBe(`${fixture.server.baseUrl}/dashboard/account?from=phone`);
  const session = await page.createCDPSession();
  const visited = async () =>
    (await session.send('Page.getNavigationHistory')).entries.map(({ url }) => url).join();
  await expect.poll(visited).not.toContain(authToken);
  expect(await storedIn(page)).toEqual({ tab: null, device: null });

  await press(page, 'Sign in');
  await page.waitForSelector('nav');
  expect(await headingOf(page)).toBe('Account');
  // The fragment is never part of a request.
  expect(requested.map((url) => url.split('#')[0]).join()).not.toContain(authToken);
});

test('a fragment that is entered while the dashboard is open leaves the address bar, too', async () => {
  const { authToken } = await openAccount(fixture.server);
  const page = await openSignIn();
  await page.goto(`${fixture.server.baseUrl}/dashboard#${authToken}`);
  await page.waitForFunction(() => location.hash === '');
  await press(page, 'Sign in');
  await page.waitForSelector('nav');
  // In this account already: there is nothing to ask.
  await page.goto(`${fixture.server.baseUrl}/dashboard#${authToken}`);
  await page.waitForFunction(() => location.hash === '');
  expect(await headingOf(page)).toBe('Links');
});

test('an address with the token of another account does not replace the account by itself', async () => {
  const own = await openAccount(fixture.server);
  const other = await openAccount(fixture.server);
  const page = await fixture.chromium.openPage('about:blank');
  await signInWith(page, fixture.server, own.authToken);
  await page.goto('about:blank');
  await page.goto(`${fixture.server.baseUrl}/dashboard#${other.authToken}`);
  await page.waitForSelector(FIELD);
  await expect.poll(() => textOf(page)).toContain('the sign-in key of another account');
  await press(page, 'Cancel');
  await page.waitForSelector('nav');
  expect(await storedIn(page)).toEqual({ tab: own.authToken, device: null });
});

test('a tab in another account leaves the token of the device alone', async () => {
  const own = await openAccount(fixture.server);
  const other = await openAccount(fixture.server);
  const page = await fixture.chromium.openPage('about:blank');
  await signInWith(page, fixture.server, own.authToken, { stays: true });
  const otherTab = await fixture.chromium.openPage('about:blank');
  await otherTab.goto(`${fixture.server.baseUrl}/dashboard#${other.authToken}`);
  await click(otherTab, '#stay-signed-in');
  await expect.poll(() => textOf(otherTab)).toContain('Its sign-in key will be deleted from here');
  await click(otherTab, '#stay-signed-in');
  await press(otherTab, 'Sign in');
  await otherTab.waitForSelector('nav');
  expect(await storedIn(otherTab)).toEqual({ tab: other.authToken, device: own.authToken });
  await press(otherTab, 'Sign out');
  await otherTab.waitForSelector(FIELD);
  expect(await storedIn(otherTab)).toEqual({ tab: null, device: own.authToken });
});

test.each([
  ['text that is no token', 'no token', 'This isn’t a sign-in key.'],
  ['an unknown token', `curt_${'x'.repeat(43)}`, 'The server doesn’t recognize this sign-in key.'],
])('%s is explained at the field', async (_, text, explanation) => {
  const page = await openSignIn();
  await page.type(FIELD, text);
  await page.keyboard.press('Enter');
  await page.waitForSelector(`${FIELD}[aria-invalid="true"]`);
  await expect.poll(() => textOf(page)).toContain(explanation);
});

test('the browser has nothing to complain about', async () => {
  const { authToken } = await openAccount(fixture.server);
  const page = await fixture.chromium.openPage('about:blank');
  const complaints = collectComplaints(page);
  const hosts = new Set<string>();
  page.on('request', (request) => hosts.add(new URL(request.url()).origin));
  await signInWith(page, fixture.server, authToken);
  await follow(page, 'Account');
  await expect.poll(() => headingOf(page)).toBe('Account');
  await page.waitForSelector('.list-row');
  expect(complaints).toEqual([]);
  expect([...hosts]).toEqual([fixture.server.baseUrl]);
  expect(await page.browserContext().cookies()).toEqual([]);
});

test('a revoked token signs out with a message', async () => {
  const { authToken } = await openAccount(fixture.server);
  const client = createClient({ baseUrl: fixture.server.baseUrl });
  const second = dataOf(
    await client.createToken({ token: authToken, body: { name: 'Phone', scope: 'all' } }),
  );
  const page = await fixture.chromium.openPage('about:blank');
  await signInWith(page, fixture.server, second.token);
  expect((await client.revokeToken({ token: authToken, id: second.id })).ok).toBe(true);
  // The first request after it signs out: the account's, or one that the list still sends.
  await page.evaluate(() => {
    document.querySelector<HTMLAnchorElement>('nav a[href$="/account"]')?.click();
  });
  await page.waitForSelector(FIELD);
  await expect.poll(() => textOf(page)).toContain('your sign-in key is no longer valid');
  expect(await storedIn(page)).toEqual({ tab: null, device: null });
});

test('"Sign out" signs out a duplicated tab, and one that the browser restores', async () => {
  const { authToken } = await openAccount(fixture.server);
  const { authToken: others } = await openAccount(fixture.server);
  const page = await fixture.chromium.openPage('about:blank');
  await signInWith(page, fixture.server, authToken);
  // A duplicated tab starts with a copy of the storage of the first one.
  const duplicate = await fixture.chromium.openPage(`${fixture.server.baseUrl}/dashboard`);
  await duplicate.evaluate((token) => sessionStorage.setItem('curt-token', token), authToken);
  await duplicate.reload();
  await duplicate.waitForSelector('nav');
  const other = await fixture.chromium.openPage('about:blank');
  // Before the page asks the other tabs for their token.
  await other.evaluateOnNewDocument((token) => sessionStorage.setItem('curt-token', token), others);
  await other.goto(`${fixture.server.baseUrl}/dashboard`);
  await other.waitForSelector('nav');

  await page.bringToFront();
  await press(page, 'Sign out');
  await duplicate.waitForSelector(FIELD);
  expect(await storedIn(duplicate)).toEqual({ tab: null, device: null });
  expect(await other.$('nav')).not.toBeNull();

  // The browser restores a tab with what it stored.
  await duplicate.evaluate((token) => sessionStorage.setItem('curt-token', token), authToken);
  await duplicate.reload();
  await duplicate.waitForSelector(FIELD);
  expect(await storedIn(duplicate)).toEqual({ tab: null, device: null });
  expect(await duplicate.evaluate(() => JSON.stringify({ ...localStorage }))).not.toContain(
    authToken,
  );

  // Who has the key can sign in again.
  await duplicate.bringToFront();
  await signInWith(duplicate, fixture.server, authToken);
  await duplicate.reload();
  await duplicate.waitForSelector('nav');
});

test('a password manager gets an entry for each key, and one for the administrator', async () => {
  const { authToken } = await openAccount(fixture.server);
  const { authToken: others } = await openAccount(fixture.server);
  const page = await openSignIn();
  const entry = () =>
    page.$eval('form input[autocomplete="username"]', (field) => (field as HTMLInputElement).value);
  const names: string[] = [];
  for (const token of [authToken, others, `curt:${fixture.server.baseUrl}#${authToken}`]) {
    await page.$eval(FIELD, (field) => (field as HTMLInputElement).select());
    await page.type(FIELD, token);
    names.push(await entry());
  }
  expect(names[0]).not.toBe(names[1]);
  expect(names[2]).toBe(names[0]);
  await page.goto(`${fixture.server.baseUrl}/dashboard/admin`);
  await page.waitForSelector('input[name="admin-token"]');
  expect(names).not.toContain(await entry());
  expect(await entry()).not.toBe('');
});
