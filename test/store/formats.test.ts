import { cp, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { FORMAT_VERSION } from '../../server/store/json-file/files/generations.ts';
import type { RecordKind } from '../../server/store/records.ts';
import { checkFolder } from '../../server/store/tools/check.ts';
import { newFolder } from '../support/new-folder.ts';
import { NOW, newLink } from './contract.ts';
import { openFolder } from './support/folders.ts';
import { describeStore } from './support/format-fixture.ts';

const FIXTURES = join(import.meta.dirname, '../fixtures/formats');
const formats = (await readdir(FIXTURES)).filter((name) => /^\d+$/.test(name));

async function copyOf(format: string): Promise<string> {
  const folder = join(await newFolder(), 'data');
  await cp(join(FIXTURES, format), folder, { recursive: true });
  return folder;
}

describe.each(formats)('a data folder in format %s', (format) => {
  test('opens with all its content, and can be written', async () => {
    const folder = await copyOf(format);
    const { problems } = await checkFolder(folder, NOW);
    expect(problems.filter(({ kind }) => kind !== 'open_permissions')).toEqual([]);
    const expected = JSON.parse(await readFile(join(FIXTURES, `${format}.json`), 'utf8'));
    const store = await openFolder(folder);
    expect(await describeStore(store)).toEqual(expected);
    expect((await store.addLink(newLink('later'))).kind).toBe('added');
    await store.close();
    const reopened = await openFolder(folder);
    expect(await reopened.findLink('later')).toMatchObject({ alias: 'later' });
    expect(await describeStore(reopened)).toEqual(expected);
    await reopened.close();
  });
});

/** Every kind of record. A new one does not compile until it is here. */
const KINDS: Record<RecordKind | 'history', true> = {
  account: true,
  token: true,
  link: true,
  hits: true,
  alias: true,
  idempotencyKey: true,
  quota: true,
  day: true,
  block: true,
  domain: true,
  report: true,
  history: true,
};

test('the folder of the present format has every kind of record, and visits', async () => {
  const folder = join(FIXTURES, String(FORMAT_VERSION));
  const names = (await readdir(folder)).filter((name) => /^(snapshot|journal)-/.test(name));
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  const lines = texts.flatMap((text) => text.trimEnd().split('\n'));
  const found = lines.map((line) => JSON.parse(line));
  const kinds = new Set(
    found.flatMap(({ records = [] }) => records.map(([kind]: [string]) => kind)),
  );
  expect(Object.keys(KINDS).filter((kind) => !kinds.has(kind))).toEqual([]);
  expect(found.some(({ visits }) => visits)).toBe(true);
});
