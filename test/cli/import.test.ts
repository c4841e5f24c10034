import { readFile, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { jsonOf, startWithCurt } from './support/curt.ts';

const TABLE = [
  'Where,Short,Who',
  'https://shop.example/spring,https://old.example/spring,Ann',
  'https://shop.example/summer,https://old.example/summer,Ben',
].join('\n');

async function startWithTable() {
  const service = await startWithCurt();
  await service.curt(['shorten', 'example.com/first']);
  await writeFile(`${service.home}/links.csv`, TABLE);
  return service;
}

test('curt import --dry-run says what each column was taken for, and --map corrects it', async () => {
  const { curt } = await startWithTable();
  const { stdout } = await curt(['import', 'links.csv', '--dry-run']);
  expect(stdout).toContain('taken for: csv\n');
  expect(stdout).toContain('columns: Where → originalUrl; Short → shortUrl; Who → ignored\n');
  const mapped = ['import', 'links.csv', '--map', 'Who=tags', '--map', 'Short='];
  const { columns } = jsonOf(await curt([...mapped, '--dry-run', '--json'])).data;
  expect(columns).toMatchObject([{ field: 'originalUrl' }, { field: null }, { field: 'tags' }]);
  const wrong = await curt(['import', 'links.csv', '--map', 'Whom=tags', '--json']);
  expect(jsonOf(wrong)).toMatchObject({ code: 'invalid_request', issues: [{ path: 'mapping' }] });
  expect((await curt(['import', 'links.csv', '--map', 'tags'])).exitCode).toBe(2);
});

test('curt import - reads a pipe', async () => {
  const { curt, store } = await startWithTable();
  expect((await curt(['import', '-'], { input: TABLE })).stdout).toContain('imported: 2');
  expect(await store.findLink('summer')).toBeDefined();
  expect((await curt(['import'])).stderr).toContain('"-" for standard input');
});

test('curt import --dry-run says what to check of a column', async () => {
  const { curt, home } = await startWithTable();
  const table =
    'url,created,expires,geo-restricted\nhttps://shop.example/,01/02/2026,2030-01-01 10:00,CH\n';
  await writeFile(`${home}/dates.csv`, table);
  const { stderr } = await curt(['import', 'dates.csv', '--dry-run']);
  expect(stderr).toContain('created → created (see --dates); expires → expiresAt (UTC)');
  expect(stderr).toContain('geo-restricted → ignored (may protect links, which are paused)');
});

test('curt import --report saves the old and the new short URL of each row', async () => {
  const { curt, home, store } = await startWithTable();
  expect((await curt(['import', 'links.csv', '--report', 'moved.csv'])).exitCode).toBe(0);
  const report = await readFile(`${home}/moved.csv`, 'utf8');
  expect(report).toMatch(/"2","https:\/\/old\.example\/spring","http[^"]*\/spring","https:/);
  expect(await store.findLink('summer')).toBeDefined();
});

test('curt import --update changes links that are there', async () => {
  const { curt, home, store } = await startWithTable();
  await curt(['shorten', 'https://shop.example/mine', '--alias', 'mine']);
  await curt(['export', 'all.csv']);
  const table = await readFile(`${home}/all.csv`, 'utf8');
  await writeFile(
    `${home}/all.csv`,
    table.replace('"https://shop.example/mine"', '"https://shop.example/new"'),
  );
  expect((await curt(['import', 'all.csv'])).stdout).toContain('differs in originalUrl');
  expect((await curt(['import', 'all.csv', '--update'])).stdout).toContain('changed: 1');
  expect(await store.findLink('mine')).toMatchObject({ originalUrl: 'https://shop.example/new' });
});

test('curt import --undo deletes what the latest import added, and says how much was edited', async () => {
  const { curt, store } = await startWithTable();
  expect((await curt(['import', '--undo', '--yes'])).stderr).toContain('No import of the last day');
  const report = jsonOf(await curt(['import', 'links.csv', '--json'])).data;
  await curt(['edit', 'summer', '--title', 'Edited']);
  const asked = await curt(['import', '--undo']);
  expect(asked.exitCode).toBe(2);
  expect(asked.stderr).toContain('Links of the latest import: 2. Edited since: 1. Delete them?');
  expect((await curt(['list', '--import', report.importId, '--json'])).stdout).toContain('spring');
  expect((await curt(['import', '--undo', '--yes'])).stdout).toBe('Links changed: 2\n');
  expect((await store.findLink('summer'))?.deletedAt).not.toBeNull();
  expect((await curt(['list', '--all', '--json'])).stdout).toContain('example.com/first');
  expect((await curt(['import'])).exitCode).toBe(2);
  expect((await curt(['import', 'links.csv', '--undo'])).exitCode).toBe(2);
});
