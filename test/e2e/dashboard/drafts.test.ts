import type { Page } from 'puppeteer-core';
import { beforeEach, expect, test } from 'vitest';
import type { Client } from '../../../shared/client.ts';
import { dataOf } from '../../support/data-of.ts';
import { openPart, openParts } from '../support/checks/rules-editor.ts';
import {
  openAccount,
  openSignedIn,
  press,
  textOf,
  useDashboard,
} from '../support/dashboard/dashboard-fixture.ts';
import { fieldValue, fill } from '../support/extension/extension-fixture.ts';
import { chooseInRow, titles } from '../support/extension/links-page.ts';

const RESTORED = 'This form has what you entered before.';

const fixture = useDashboard();
let client: Client;
let token: string;
let page: Page;

beforeEach(async () => {
  ({ client, token, page } = await openSignedIn(fixture));
  await page.waitForSelector('.row');
});

async function openEditor(): Promise<void> {
  await chooseInRow(page, 'Edit');
  await page.waitForSelector('.link-editor-dialog[open]');
}

async function closeWithEscape(): Promise<void> {
  await page.keyboard.press('Escape');
  await page.waitForSelector('.link-editor-dialog[open]', { hidden: true });
}

test('Escape and a reload lose nothing that was typed into the form of a link', async () => {
  await openEditor();
  expect(await textOf(page)).not.toContain(RESTORED);
  await fill(page, 'Title', 'Half-written');
  await openPart(page, 'Protection');
  await fill(page, 'Password for visitors', 'a password');
  await closeWithEscape();
  await openEditor();
  expect(await fieldValue(page, 'Title')).toBe('Half-written');
  await page.reload();
  await page.waitForSelector('.row');
  await openEditor();
  expect(await fieldValue(page, 'Title')).toBe('Half-written');
  expect(await textOf(page)).toContain(RESTORED);
  // A password is not kept, and the form says so.
  expect(await fieldValue(page, 'Password for visitors')).toBe('');
  expect(await textOf(page)).toContain('Passwords aren’t saved.');
  const kept = await page.evaluate(() => JSON.stringify({ ...sessionStorage }));
  expect(kept).not.toContain('a password');
  await press(page, 'Save');
  await expect.poll(() => titles(page)).toEqual(['Half-written']);
  await openEditor();
  expect(await textOf(page)).not.toContain(RESTORED);
});

test('"Cancel" and "Discard" give up what was typed', async () => {
  await openEditor();
  await fill(page, 'Title', 'Half-written');
  await press(page, 'Cancel');
  await page.waitForSelector('.link-editor-dialog[open]', { hidden: true });
  await openEditor();
  expect(await fieldValue(page, 'Title')).toBe('');
  await fill(page, 'Title', 'Half-written');
  await closeWithEscape();
  await openEditor();
  await press(page, 'Discard');
  expect(await fieldValue(page, 'Title')).toBe('');
  await closeWithEscape();
  await openEditor();
  expect(await fieldValue(page, 'Title')).toBe('');
});

test('a key that is revoked while somebody types costs nothing that was typed', async () => {
  const { token: other } = dataOf(
    await client.createToken({ token, body: { name: 'Other', scope: 'all' } }),
  );
  const { tokens } = dataOf(await client.getAccount({ token }));
  await openEditor();
  await fill(page, 'Title', 'Half-written');
  const current = tokens.find(({ isCurrent }) => isCurrent);
  dataOf(await client.revokeToken({ token: other, id: current?.id ?? '' }));
  // Saving signs out, unless a request that the page still sends was first.
  await page.evaluate(() => {
    document.querySelector<HTMLElement>('.link-editor-dialog [type="submit"]')?.click();
  });
  await page.waitForSelector('input[name="token"]');
  await page.type('input[name="token"]', other);
  await page.keyboard.press('Enter');
  await page.waitForSelector('.row');
  await openEditor();
  expect(await fieldValue(page, 'Title')).toBe('Half-written');
});

test('Back, a reload and another page lose nothing that was typed into the form for a new link', async () => {
  await page.goto(`${fixture.server.baseUrl}/dashboard/create`);
  await page.waitForSelector('input[name="originalUrl"]');
  await page.type('input[name="originalUrl"]', 'https://example.com/typed');
  await openParts(page);
  await fill(page, 'Title', 'Typed');
  for (const leave of [
    () => page.reload(),
    async () => {
      await page.goBack();
      await page.waitForSelector('.row');
      await page.goForward();
    },
  ]) {
    await leave();
    await page.waitForSelector('input[name="originalUrl"]');
    expect(
      await page.$eval('input[name="originalUrl"]', (field) => (field as HTMLInputElement).value),
    ).toBe('https://example.com/typed');
    expect(await fieldValue(page, 'Title')).toBe('Typed');
  }
  await press(page, 'Shorten and copy');
  await page.waitForSelector('.created-url');
  await page.reload();
  await page.waitForSelector('input[name="originalUrl"]');
  expect(
    await page.$eval('input[name="originalUrl"]', (field) => (field as HTMLInputElement).value),
  ).toBe('');
});

test('after somebody signs out, nobody finds what they typed', async () => {
  await page.goto(`${fixture.server.baseUrl}/dashboard/create`);
  await page.waitForSelector('input[name="originalUrl"]');
  await page.type('input[name="originalUrl"]', 'https://example.com/private');
  await press(page, 'Sign out');
  await page.waitForSelector('input[name="token"]');
  const kept = await page.evaluate(() => JSON.stringify({ ...sessionStorage }));
  expect(kept).not.toContain('private');
});

test('after a key is revoked, another account finds neither what was typed nor what was searched', async () => {
  const { token: other } = dataOf(
    await client.createToken({ token, body: { name: 'Other', scope: 'all' } }),
  );
  const { tokens } = dataOf(await client.getAccount({ token }));
  const query = new URLSearchParams({ url: 'https://example.com/shared' });
  await page.goto(`${fixture.server.baseUrl}/dashboard/create?${query}`);
  await page.waitForSelector('input[name="originalUrl"]');
  await page.type('input[name="originalUrl"]', '/private');
  const current = tokens.find(({ isCurrent }) => isCurrent);
  dataOf(await client.revokeToken({ token: other, id: current?.id ?? '' }));
  await press(page, 'Shorten and copy');
  await page.waitForSelector('input[name="token"]');
  await page.type('input[name="token"]', (await openAccount(fixture.server)).authToken);
  await page.keyboard.press('Enter');
  await page.waitForSelector('.row');
  expect(new URL(page.url()).search).toBe('');
  const kept = await page.evaluate(() => JSON.stringify({ ...sessionStorage }));
  expect(kept).not.toContain('private');
});
