import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ElementHandle, Page } from 'puppeteer-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { click } from '../support/browser/click.ts';
import { findViolations } from '../support/checks/accessibility.ts';
import {
  openSignedIn,
  press,
  textOf,
  useDashboard,
} from '../support/dashboard/dashboard-fixture.ts';

const KUTT_FILE = join(import.meta.dirname, '../../fixtures/imports/kutt/links.json');
const TABLE = [
  'Campaign page,Destination,Short,Who,Valid until,Geo-restricted',
  'https://shop.example/spring,https://cdn.example/a.png,https://old.example/spring,Ann,31/01/2030,',
  'https://shop.example/summer,https://cdn.example/b.png,https://old.example/summer,Ben,28/02/2030,CH',
].join('\n');

const fixture = useDashboard();
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'curt-import-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function openImport() {
  const opened = await openSignedIn(fixture, { path: '/account' });
  await opened.page.waitForSelector('input[name="import-file"]');
  return opened;
}

async function choose(page: Page, file: string): Promise<void> {
  const input = await page.waitForSelector('input[name="import-file"]');
  await (input as ElementHandle<HTMLInputElement>).uploadFile(file);
}

let files = 0;

async function chooseText(page: Page, content: string | Buffer): Promise<void> {
  const path = join(folder, `links-${++files}.csv`);
  await writeFile(path, content);
  await choose(page, path);
}

const shows = (page: Page, text: string | RegExp) =>
  expect.poll(() => textOf(page)).toMatch(typeof text === 'string' ? new RegExp(text) : text);

test('shows what a file was taken for, imports it, and undoes it', async () => {
  const { page, client, token } = await openImport();
  await choose(page, KUTT_FILE);
  await shows(page, /4 links would be added\./);
  expect(await page.$eval('select[name="import-source"]', (field) => field.value)).toBe('kutt');
  await shows(page, 'Recognized by “address”, “target”\\.');
  expect(await client.listLinks({ token })).toMatchObject({ ok: true, data: { data: [{}] } });
  expect(await findViolations(page)).toEqual([]);

  await press(page, 'Import now');
  await shows(page, /4 links were added\./);
  // The button is gone.
  const focused = () => page.evaluate(() => document.activeElement?.id);
  await expect.poll(focused).toBe('import-heading');
  const downloads = await fixture.chromium.collectDownloads();
  await press(page, 'Download report');
  const csv = (await downloads.take('curt-import.csv')).toString();
  await downloads.stop();
  expect(csv).toContain(
    `"https://kutt.example/spring-menu","${fixture.server.baseUrl}/spring-menu"`,
  );
  expect((await client.getLink({ alias: 'spring-menu', token })).ok).toBe(true);

  await page.reload();
  await press(page, 'Undo the latest import (4 links)');
  await shows(page, '4 links were deleted');
  await expect.poll(focused).toBe('import-heading');
  expect(await client.getLink({ alias: 'spring-menu', token })).toMatchObject({
    data: { status: 'deleted' },
  });
  // What was undone does not count, what was deleted by hand can be restored.
  await choose(page, KUTT_FILE);
  await shows(page, /4 links would be added\./);
  await press(page, 'Import now');
  await shows(page, /4 links were added\./);
  await client.deleteLink({ alias: 'spring-menu', token });
  await page.reload();
  await choose(page, KUTT_FILE);
  await shows(page, /0 links would be added\./);
  await press(page, 'Restore 1 deleted link');
  await shows(page, '1 link was restored');
});

test('a wrong guess is corrected, and a column that protects links is asked about', async () => {
  const { page, client, token } = await openImport();
  await chooseText(page, TABLE);
  await shows(page, /2 links would be added\./);
  const meaning = (column: string) =>
    page.$eval(`select[aria-label="Meaning of “${column}”"]`, (field) => field.value);
  expect(await meaning('Destination')).toBe('originalUrl');
  expect(await meaning('Short')).toBe('shortUrl');
  await shows(page, 'This may protect links');
  await shows(page, 'Not imported: Campaign page, Who, Geo-restricted');
  await page.select('select[aria-label="Meaning of “Campaign page”"]', 'originalUrl');
  await shows(page, 'Not imported: Destination, Who, Geo-restricted');
  await page.select('select[aria-label="Meaning of “Who”"]', 'tags');
  await shows(page, 'Not imported: Destination, Geo-restricted');
  await press(page, 'Import now');
  await shows(page, /2 links were added\./);
  expect(await client.getLink({ alias: 'summer', token })).toMatchObject({
    data: {
      originalUrl: 'https://shop.example/summer',
      tags: ['Ben'],
      isActive: false,
      expiresAt: '2030-02-28T00:00:00.000Z',
    },
  });
});

test('an ambiguous date and an unknown encoding are asked about', async () => {
  const { page } = await openImport();
  await chooseText(page, 'url,created\nhttps://example.com/,01/02/2026\n');
  await shows(page, /Skipped: 1\./);
  await page.select('select[name="import-dates"]', 'month');
  await shows(page, /1 link would be added\./);
  const start = Buffer.from('url,title\nhttps://example.com/russian,');
  await chooseText(page, Buffer.concat([start, Buffer.from([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2])]));
  await shows(page, 'not encoded in UTF-8');
  await page.select('select[name="import-encoding"]', 'windows-1251');
  await shows(page, /1 link would be added\./);
  await shows(page, 'Привет');
});

test('a list can be pasted', async () => {
  const { page, client, token } = await openImport();
  await click(page, '.import-choose summary');
  await page.type(
    '.import-choose textarea',
    'https://one.example/pasted\nhttps://two.example/pasted',
  );
  await press(page, 'Preview');
  await shows(page, /2 links would be added\./);
  expect(await page.$eval('select[name="import-source"]', (field) => field.value)).toBe('list');
  await press(page, 'Import now');
  await shows(page, /2 links were added\./);
  expect(await client.listLinks({ token, q: 'two.example' })).toMatchObject({
    data: { data: [{ originalUrl: 'https://two.example/pasted' }] },
  });
});

test('says what is wrong with a file that is none of links', async () => {
  const { page } = await openImport();
  await choose(page, join(import.meta.dirname, 'account.test.ts'));
  await shows(page, 'The file can’t be imported');
  // The message is the server's.
  expect(await page.$eval('.import [role=alert] p', ({ lang }) => lang)).toBe('en');
});

test('a file that was corrected can be chosen again', async () => {
  const { page } = await openImport();
  const path = join(folder, 'links.json');
  const chooseAgain = async (content: string) => {
    await writeFile(path, content);
    const chooser = page.waitForFileChooser();
    await click(page, 'input[name="import-file"]');
    await (await chooser).accept([path]);
  };
  await chooseAgain('[');
  await shows(page, 'The file can’t be imported');
  await chooseAgain(await readFile(KUTT_FILE, 'utf8'));
  await shows(page, 'would be added\\.');
});
