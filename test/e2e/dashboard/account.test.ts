import type { ElementHandle, Page } from 'puppeteer-core';
import { expect, test } from 'vitest';
import { click } from '../support/browser/click.ts';
import { readQr } from '../support/checks/read-qr.ts';
import {
  openSignedIn,
  press,
  textOf,
  useDashboard,
} from '../support/dashboard/dashboard-fixture.ts';
import { intercept } from '../support/servers/outside.ts';

const fixture = useDashboard();

async function openAccountPage() {
  const opened = await openSignedIn(fixture, { path: '/account' });
  await opened.page.waitForSelector('.list-row');
  return opened;
}

const readField = (page: Page, selector: string) =>
  page.$eval(selector, (field) => (field as HTMLInputElement).value);

test('shows what the account has, and what its limits leave', async () => {
  const { page } = await openAccountPage();
  await expect.poll(() => textOf(page)).toMatch(/This month\s+999 of 1,000 left, resets on /);
  await expect.poll(() => textOf(page)).toContain('In use here');
});

test('creates a named token that is shown once, as text and file, and revokes it', async () => {
  const { page, client, complaints } = await openAccountPage();
  await page.type('input[name="token-name"]', 'Phone');
  await page.select('select:has(option[value="create"])', 'create');
  await press(page, 'Create key');
  await page.waitForSelector('input[name="new-token"]');
  const token = await readField(page, 'input[name="new-token"]');
  expect(await client.listLinks({ token })).toMatchObject({
    ok: false,
    code: 'insufficient_scope',
  });
  expect(
    (await client.createLink({ body: { originalUrl: 'https://example.com' }, token })).ok,
  ).toBe(true);

  await press(page, 'Copy');
  await expect.poll(() => textOf(page)).toContain('Copied.');
  expect(await fixture.chromium.readClipboard()).toBe(token);
  await page.bringToFront();
  const downloads = await fixture.chromium.collectDownloads();
  await press(page, 'Save as file');
  const file = (await downloads.take('curt-sign-in-key.txt')).toString();
  await downloads.stop();
  expect(file).toBe(`curt:${fixture.server.baseUrl}#${token}\n`);
  // It could not make an address that signs in.
  expect(await textOf(page)).not.toContain('QR code');

  await page.reload();
  await page.waitForSelector('.list-row');
  expect(await page.content()).not.toContain(token);
  await press(page, 'Revoke…: Phone');
  await press(page, 'Revoke');
  await page.waitForFunction(() => document.querySelectorAll('.list-row').length === 1);
  expect(
    await client.createLink({ body: { originalUrl: 'https://example.com' }, token }),
  ).toMatchObject({
    code: 'invalid_token',
  });
  expect(complaints).toEqual([]);
});

const SHORT_URL = /^https?:\/\/[^/]+\/[a-z2-9]{7}$/;

test('tells what to enter in other programs for a new key', async () => {
  const { page, complaints } = await openAccountPage();
  await page.type('input[name="token-name"]', 'ShareX');
  await page.select('select:has(option[value="create"])', 'create');
  await press(page, 'Create key');
  await page.waitForSelector('input[name="new-token"]');
  const token = await readField(page, 'input[name="new-token"]');
  await click(page, '.test-result summary');
  const { baseUrl } = fixture.server;
  const entered = () =>
    page.$$eval('.test-result details input', (fields) => fields.map(({ value }) => value));
  await expect.poll(entered).toEqual([baseUrl, `${baseUrl}/yourls-api.php`]);
  await page.waitForSelector('.qr path.qr-dark[d^="M"]');
  const downloads = await fixture.chromium.collectDownloads();
  await press(page, 'Save file for ShareX');
  const file = JSON.parse((await downloads.take('curt.sxcu')).toString());
  await downloads.stop();
  const response = await fetch(file.RequestURL, {
    method: file.RequestMethod,
    headers: { ...file.Headers, 'content-type': 'application/json' },
    body: file.Data.replace('{input}', 'https://example.com/'),
  });
  const { data } = (await response.json()) as { data: { shortUrl: string } };
  expect(data.shortUrl).toMatch(SHORT_URL);
  const signature = new URLSearchParams({ signature: token, action: 'shorturl', format: 'simple' });
  const yourls = `${baseUrl}/yourls-api.php?${signature}&url=https%3A%2F%2Fexample.com%2Fy`;
  expect(await (await fetch(yourls)).text()).toMatch(SHORT_URL);
  expect(complaints).toEqual([]);
});

async function pictureOf(element: ElementHandle): Promise<Buffer> {
  return Buffer.from(await element.screenshot({ type: 'png' }));
}

test('a new token stays when its QR code cannot be loaded, which can be tried again', async () => {
  const { page } = await openAccountPage();
  await page.type('input[name="token-name"]', 'Phone');
  await press(page, 'Create key');
  await page.waitForSelector('input[name="new-token"]');
  let isAway = true;
  // Only scripts: the list of keys may still be on its way.
  await intercept(page, (request) =>
    isAway && request.resourceType() === 'script' ? request.abort() : request.continue(),
  );
  await press(page, 'QR code');
  await expect.poll(() => textOf(page)).toContain('Something went wrong');
  isAway = false;
  await press(page, 'Try again');
  const code = (await page.waitForSelector('.qr path.qr-dark[d^="M"]')) as ElementHandle;
  const picture = await code.evaluateHandle((path) => path.closest('svg'));
  const { text } = await readQr(page, await pictureOf(picture as ElementHandle), 'image/png');
  expect(text).toMatch(/^http:\/\/localhost:\d+\/dashboard#code=[\w-]{22}$/);
  expect(await page.$('input[name="new-token"]')).not.toBeNull();
});

test('warns before the last token that may do everything is revoked, which signs out', async () => {
  const { page, client, token: authToken } = await openAccountPage();
  await press(page, 'Revoke…: First key');
  await page.waitForSelector('dialog .warning');
  await expect.poll(() => textOf(page)).toContain('nobody can manage this account again');
  await press(page, 'Revoke');
  await page.waitForSelector('input[name="token"]');
  expect(await client.getAccount({ token: authToken })).toMatchObject({ code: 'invalid_token' });
});

test('exports all links as JSON and CSV', async () => {
  const { page } = await openAccountPage();
  const downloads = await fixture.chromium.collectDownloads();
  await press(page, 'Export as JSON');
  const json = JSON.parse((await downloads.take('curt-links.json')).toString());
  expect(json.links).toHaveLength(1);
  await press(page, 'Export as CSV');
  expect((await downloads.take('curt-links.csv')).toString()).toContain('https://example.com/page');
  await downloads.stop();
});

test('deletes the account after a typed word, in a part that is folded at first', async () => {
  const { page, client, token: authToken } = await openAccountPage();
  const button = await page.$('::-p-aria([name="Delete account permanently"])');
  expect(await button?.isVisible()).not.toBe(true);
  await page.locator('summary ::-p-text(Delete account)').click();
  await press(page, 'Delete account permanently');
  await expect.poll(() => textOf(page)).toContain('Type the word “delete”');
  expect((await client.getAccount({ token: authToken })).ok).toBe(true);
  await page.type('input[name="delete-account"]', 'delete');
  await page.keyboard.press('Enter');
  await page.waitForSelector('input[name="token"]');
  await expect
    .poll(() => textOf(page))
    .toContain('Your account and everything in it has been deleted.');
  expect(await client.getAccount({ token: authToken })).toMatchObject({ code: 'invalid_token' });
});
