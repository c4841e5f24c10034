import type { Page } from 'puppeteer-core';
import { beforeAll, expect, test } from 'vitest';
import { dataOf } from '../../support/data-of.ts';
import { findFaults } from '../support/checks/accessibility.ts';
import { findLayoutFaults } from '../support/checks/layout-faults.ts';
import { openAdminPage, useAdminPages } from '../support/dashboard/admin-fixture.ts';
import { openAccount, openSignedIn } from '../support/dashboard/dashboard-fixture.ts';
import { fill, press } from '../support/extension/extension-fixture.ts';
import { chooseInRow, searchFor, titles } from '../support/extension/links-page.ts';

const fixture = useAdminPages();
const PHONE = { width: 360, height: 800 };
const FILTER = '.filters select[name="domain"]';

beforeAll(async () => {
  for (const host of ['go.example', 'xn--bcher-kva.example']) {
    dataOf(await fixture.admin.adminAddDomain({ body: { host } }));
  }
});

/** An account with the link `First`, and its tab at a path below `/dashboard`. */
async function openFirst(path = '') {
  const request = { originalUrl: 'https://example.com/first', title: 'First' };
  const opened = await openSignedIn(fixture, { path, request });
  const { client, token } = opened;
  return { ...opened, newest: async () => dataOf(await client.listLinks({ token })).data[0] };
}

/** The choices of a select element, by their text. */
function choices(page: Page, selector: string): Promise<string[]> {
  return page.$$eval(`${selector} option`, (options) => options.map(({ text }) => text));
}

test('a new link gets the domain that is chosen before its alias, with international names decoded', async () => {
  const { page, newest } = await openFirst('/create');
  await page.locator('input[name="originalUrl"]').fill('https://example.com/sale');
  await page.waitForSelector('select[name="domain"]');
  const { host } = new URL(fixture.server.baseUrl);
  const shown = async () => (await choices(page, 'select[name="domain"]')).toSorted();
  await expect.poll(shown).toEqual(['b\u00fccher.example', 'go.example', host].toSorted());
  expect(await page.$eval('select[name="domain"]', ({ value }) => value)).toBe(host);
  expect(await findFaults(page)).toEqual([]);
  await page.setViewport(PHONE);
  expect(await findLayoutFaults(page)).toEqual([]);
  await page.select('select[name="domain"]', 'go.example');
  await fill(page, 'Custom alias', 'sale');
  await press(page, 'Shorten and copy');
  await page.waitForSelector('.created-url');
  expect(await newest()).toMatchObject({ domain: 'go.example', alias: 'sale' });
});

test('the list is filtered by domain, and a link that is edited moves to another one and back', async () => {
  const { page, token, client, newest } = await openFirst();
  const request = { originalUrl: 'https://example.com/go', title: 'Go', domain: 'go.example' };
  const { alias } = dataOf(await client.createLink({ body: request, token }));
  await page.reload();
  await page.waitForSelector(FILTER);
  await expect.poll(() => titles(page)).toEqual(['Go', 'First']);
  await page.select(FILTER, 'go.example');
  await expect.poll(() => titles(page)).toEqual(['Go']);
  await searchFor(page, 'nothing has this name');
  await press(page, 'Show all links');
  await expect.poll(() => titles(page)).toEqual(['Go', 'First']);

  await chooseInRow(page, 'Edit');
  await page.waitForSelector('dialog[open] select[name="domain"]');
  expect(await findFaults(page)).toEqual([]);
  await page.select('dialog[open] select[name="domain"]', 'xn--bcher-kva.example');
  await press(page, 'Save');
  await page.waitForSelector('dialog[open]', { hidden: true });
  await expect.poll(async () => (await newest())?.domain).toBe('xn--bcher-kva.example');
  await expect.poll(newest).toMatchObject({ alias, previousAliases: [`go.example/${alias}`] });
  await press(page, 'Undo');
  await expect.poll(async () => (await newest())?.domain).toBe('go.example');
});

test('administrators filter the links of all accounts by domain', async () => {
  const request = { originalUrl: 'https://example.com/all', customAlias: `all-${Date.now()}` };
  const { alias } = await openAccount(fixture.server, { ...request, domain: 'go.example' });
  await openAccount(fixture.server, { ...request, customAlias: `${alias}-other` });
  const page = await openAdminPage(fixture, '/links');
  const aliases = () =>
    page.$$eval('tbody tr > :first-child', (cells) => cells.map((cell) => cell.textContent));
  await expect.poll(aliases).toContain(`${alias}-other`);
  await page.select('select[name="domain"]', 'go.example');
  await expect.poll(aliases).not.toContain(`${alias}-other`);
  expect(await aliases()).toContain(`go.example/${alias}`);
});
