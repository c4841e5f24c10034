import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hashToken } from '../../server/accounts/tokens.ts';
import type { RecordKind } from '../../server/store/records.ts';
import { checkFolder } from '../../server/store/tools/check.ts';
import { openFolderSource } from '../../server/store/tools/folder-copy.ts';
import { restore } from '../../server/store/tools/restore.ts';
import { NEWER, RECORDS, TOKEN } from '../fixtures/formats/content.ts';
import { recordsOf } from '../fixtures/formats/records-of.ts';
import {
  copyReleasedFolder,
  RELEASED,
  released,
  releasedLines,
} from '../fixtures/formats/released.ts';
import { newFolder } from '../support/new-folder.ts';
import { addLink, NOW, newLink } from './contract.ts';
import { openFolder } from './support/folders.ts';

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
  uptime: true,
  block: true,
  domain: true,
  report: true,
  history: true,
};

describe.each(RELEASED)('what Curt %s has stored', (version) => {
  test('opens as a folder with every value, and can be changed', async () => {
    const folder = await copyReleasedFolder(version, join(await newFolder(), 'data'));
    const { problems } = await checkFolder(folder, NOW);
    expect(problems.filter(({ kind }) => kind !== 'open_permissions')).toEqual([]);
    const expected = await releasedLines(version, 'records.jsonl');
    expect(await recordsOf(openFolderSource(folder, NOW))).toEqual(expected);
    const store = await openFolder(folder);
    await addLink(store, newLink('later'));
    expect((await store.findToken(hashToken(TOKEN)))?.account.id).toBe('ann');
    const link = await store.findLink('FALL-26');
    expect(link).toMatchObject({ alias: 'Herbst-26', hits: 17 });
    // A field that nobody knows any more would be among the newer ones.
    expect(link?.newerFields).toEqual(NEWER);
    await store.close();
    const after = await recordsOf(openFolderSource(folder, NOW));
    expect(after).toEqual(expect.arrayContaining(expected));
    expect(after.some(([kind, , value]) => kind === 'link' && value.alias === 'later')).toBe(true);
  });

  test('is restored from a backup with every value', async () => {
    const folder = join(await newFolder(), 'restored');
    await restore(released(version, 'backup.tar.gz'), folder, { now: NOW });
    const expected = await releasedLines(version, 'records.jsonl');
    expect(await recordsOf(openFolderSource(folder, NOW))).toEqual(expected);
  });
});

test('the folder of 1.0 has every kind of record, in its snapshot and in its journal', () => {
  const folder = released('1.0', 'folder');
  const kindsIn = (file: RegExp) => {
    const names = readdirSync(folder).filter((name) => file.test(name));
    const lines = names.flatMap((name) =>
      readFileSync(join(folder, name), 'utf8').trimEnd().split('\n'),
    );
    return lines.flatMap((line) => {
      const { records = [], visits } = JSON.parse(line);
      return [...records.map(([kind]: [string]) => kind), ...(visits ? ['history'] : [])];
    });
  };
  const kinds = Object.keys(KINDS).sort();
  expect(new Set(RECORDS.map(([kind]) => kind))).toEqual(new Set([...kinds, 'secret', 'audit']));
  const found = new Set(kindsIn(/^(snapshot|journal)-/));
  expect([...found].sort()).toEqual(kinds);
  expect(kindsIn(/^journal-/)).toContain('history');
});
