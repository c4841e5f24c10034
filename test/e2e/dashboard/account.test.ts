import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ElementHandle, Page } from 'puppeteer-core';
import { expect, onTestFinished, test } from 'vitest';
import { createClient } from '../../../shared/client.ts';
import { collectDownloads } from '../support/browser/downloads.ts';
import { readQr } from '../support/checks/read-qr.ts';
import {
  collectComplaints,
  openAccount,
  press,
  signInWith,
  textOf,
  useDashboard,
} from '../support/dashboard/dashboard-fixture.ts';

const KUTT_FILE = join(import.meta.dirname, '../../fixtures/imports/kutt/links.json');

const fixture = useDashboard();

async function openAccountPage() {
  const { authToken } = await openAccount(fixture.server);
  const page = await fixture.chromium.openPage('about:blank');
  const complaints = collectComplaints(page);
  await signInWith(page, fixture.server, authToken);
  await page.goto(`${fixture.server.baseUrl}/dashboard/account`);
  await page.waitForSelector('.list-row');
  return { page, authToken, complaints, client: createClient({ baseUrl: fixture.server.baseUrl }) };
}

const readField = (page: Page, selector: string) =>
  page.$eval(selector, (field) => (field as HTMLInputElement).value);

test('shows what the account has, and what its limits leave', async () => {
  const { page } = await openAccountPage();
  await expect.poll(() => textOf(page)).toMatch(/This month\s+999 of 1,000 left, resets on /);
  expect(await textOf(page)).toContain('In use here');
});

test('creates a named token that is shown once, as text, file and QR code, and revokes it', async () => {
  const { page, client, complaints } = await openAccountPage();
  await page.type('input[name="token-name"]', 'Phone');
  await page.select('select:has(option[value="create"])', 'create');
  await press(page, 'Create key');
  await page.waitForSelector('input[name="new-token"]');
  const token = await readField(page, 'input[name="new-token"]');
  expect(await client.listLinks(token)).toMatchObject({ ok: false, code: 'insufficient_scope' });
  expect((await client.shorten({ originalUrl: 'https://example.com' }, { token })).ok).toBe(true);

  await press(page, 'Copy');
  await expect.poll(() => textOf(page)).toContain('Copied.');
  expect(await fixture.chromium.readClipboard()).toBe(token);
  await page.bringToFront();
  const downloads = await collectDownloads(fixture.chromium.browser);
  await press(page, 'Save as file');
  const file = (await downloads.take('curt-token.txt')).toString();
  await downloads.stop();
  expect(file).toBe(`curt:${fixture.server.baseUrl}#${token}\n`);
  await press(page, 'QR code');
  const code = (await page.waitForSelector('.qr path.qr-dark[d^="M"]')) as ElementHandle;
  const picture = await code.evaluateHandle((path) => path.closest('svg'));
  const { text } = await readQr(page, await pictureOf(picture as ElementHandle), 'image/png');
  expect(text).toBe(`${fixture.server.baseUrl}/dashboard#${token}`);

  await page.reload();
  await page.waitForSelector('.list-row');
  expect(await page.content()).not.toContain(token);
  await press(page, 'Revoke…: Phone');
  await press(page, 'Revoke');
  await page.waitForFunction(() => document.querySelectorAll('.list-row').length === 1);
  expect(await client.shorten({ originalUrl: 'https://example.com' }, { token })).toMatchObject({
    code: 'invalid_token',
  });
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
  await page.setRequestInterception(true);
  page.on('request', (request) => (isAway ? request.abort() : request.continue()));
  await press(page, 'QR code');
  await expect.poll(() => textOf(page)).toContain('Something went wrong');
  isAway = false;
  await press(page, 'Try again');
  await page.waitForSelector('.qr path.qr-dark[d^="M"]');
  expect(await page.$('input[name="new-token"]')).not.toBeNull();
});

test('warns before the last token that may do everything is revoked, which signs out', async () => {
  const { page, client, authToken } = await openAccountPage();
  await press(page, 'Revoke…: First key');
  await page.waitForSelector('dialog .warning');
  expect(await textOf(page)).toContain('nobody can manage this account again');
  await press(page, 'Revoke');
  await page.waitForSelector('input[name="token"]');
  expect(await client.account(authToken)).toMatchObject({ code: 'invalid_token' });
});

test('exports all links as JSON and CSV', async () => {
  const { page } = await openAccountPage();
  const downloads = await collectDownloads(fixture.chromium.browser);
  await press(page, 'Export as JSON');
  const json = JSON.parse((await downloads.take('curt-links.json')).toString());
  expect(json.links).toHaveLength(1);
  await press(page, 'Export as CSV');
  expect((await downloads.take('curt-links.csv')).toString()).toContain('https://example.com/page');
  await downloads.stop();
});

test('checks a file with a report per row, imports it, and adds nothing the second time', async () => {
  const { page, client, authToken } = await openAccountPage();
  const file = (await page.$('input[name="import-file"]')) as ElementHandle<HTMLInputElement>;
  const rows = JSON.parse(await readFile(KUTT_FILE, 'utf8')).data.length;
  await file.uploadFile(KUTT_FILE);
  await press(page, 'Check file');
  await page.waitForSelector('table');
  expect(await textOf(page)).toContain('would be added.');
  expect(await page.$$('tbody tr')).toHaveLength(rows);
  expect(await client.listLinks(authToken)).toMatchObject({ ok: true, data: { data: [{}] } });

  await press(page, 'Import now');
  await expect.poll(() => textOf(page)).toMatch(/links? (was|were) added\./);
  const listed = await client.listLinks(authToken);
  expect(listed.ok && listed.data.data.length).toBeGreaterThan(1);
  await press(page, 'Check file');
  await expect.poll(() => textOf(page)).toContain('0 links would be added.');
});

test('says what is wrong with a file that is no export', async () => {
  const { page } = await openAccountPage();
  await press(page, 'Check file');
  await expect.poll(() => textOf(page)).toContain('Choose a file.');
  const file = (await page.$('input[name="import-file"]')) as ElementHandle<HTMLInputElement>;
  await file.uploadFile(join(import.meta.dirname, 'account.test.ts'));
  await press(page, 'Check file');
  await expect.poll(() => textOf(page)).toContain('The file can’t be imported');
  // The message is the server's.
  expect(await page.$eval('[role=alert] p', ({ lang }) => lang)).toBe('en');
});

test('a file that was corrected can be chosen again', async () => {
  const { page } = await openAccountPage();
  const folder = await mkdtemp(join(tmpdir(), 'curt-import-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'links.json');
  const choose = async (content: string) => {
    await writeFile(path, content);
    const chooser = page.waitForFileChooser();
    await page.click('input[name="import-file"]');
    await (await chooser).accept([path]);
    await press(page, 'Check file');
  };
  await choose('[');
  await expect.poll(() => textOf(page)).toContain('The file can’t be imported');
  await choose(await readFile(KUTT_FILE, 'utf8'));
  await expect.poll(() => textOf(page)).toContain('would be added.');
});

test('deletes the account after a typed word', async () => {
  const { page, client, authToken } = await openAccountPage();
  await press(page, 'Delete account for good');
  await expect.poll(() => textOf(page)).toContain('Type the word “delete”');
  expect((await client.account(authToken)).ok).toBe(true);
  await page.type('input[name="delete-account"]', 'delete');
  await page.keyboard.press('Enter');
  await page.waitForSelector('input[name="token"]');
  expect(await textOf(page)).toContain('Your account and everything in it is deleted.');
  expect(await client.account(authToken)).toMatchObject({ code: 'invalid_token' });
});
