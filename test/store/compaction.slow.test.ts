import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import {
  journalPath,
  readGenerations,
  snapshotPath,
} from '../../server/store/json-file/files/generations.ts';
import type { JsonFileStore } from '../../server/store/json-file/json-file-store.ts';
import type { Link } from '../../server/store/link.ts';
import { StoreOpenError } from '../../server/store/store.ts';
import { checkFolder } from '../../server/store/tools/check.ts';
import { newFolder } from '../support/new-folder.ts';
import { addLink, editOf, NOW, newLink } from './contract.ts';
import { isCompacting, linksOf, openFolder, openUntilTestEnds } from './support/folders.ts';

/** Triggers compaction after a few calls, because their idempotency keys are long. */
const SMALL = { compactAtBytes: 10_000 };

const WAIT = { interval: 1 };

function wasteful(alias: string) {
  const keyHash = `${alias}${randomBytes(1000).toString('hex')}`;
  const idempotency = { keyHash, bodyHash: 'body', tokenSalt: null };
  return newLink(alias, { idempotency, quota: 1_000_000 });
}

/** Adds links, 20 at a time, until a snapshot of this generation exists; returns the aliases. */
async function addUntilSnapshot(store: JsonFileStore, folder: string, generation: number) {
  const aliases: string[] = [];
  const prefix = randomBytes(4).toString('hex');
  for (let round = 0; (readGenerations(folder).snapshot ?? 0) < generation; round++) {
    if (round === 200) throw new Error('no compaction has run');
    const batch = Array.from({ length: 20 }, (_, index) => `${prefix}-${round}-${index}`);
    await Promise.all(batch.map((alias) => store.addLink(wasteful(alias))));
    aliases.push(...batch);
    await store.settled();
  }
  return aliases;
}

/** Edits a link until a snapshot of this generation exists; returns the link after the last edit. */
async function editUntilSnapshot(
  store: JsonFileStore,
  folder: string,
  link: Link,
  generation: number,
) {
  let edited = link;
  for (let round = 0; round < 2000; round++) {
    const changes = { description: `${round} ${'long '.repeat(20)}` };
    const outcome = await store.editLink(editOf(link, changes));
    if (outcome.kind !== 'edited') throw new Error(outcome.kind);
    edited = outcome.link;
    await store.settled();
    if ((readGenerations(folder).snapshot ?? 0) >= generation) return edited;
  }
  throw new Error('no compaction has run');
}

/** The same, but makes no edits while the compaction is running. */
async function editBetweenCompactions(
  store: JsonFileStore,
  folder: string,
  link: Link,
  generation: number,
) {
  while (!existsSync(journalPath(folder, generation))) {
    await store.editLink(editOf(link, { title: 'edited' }));
  }
  await store.settled();
}

function jsonLines(folder: string): Promise<string[]> {
  return readdir(folder).then((names) => names.filter((name) => name.endsWith('.jsonl')).sort());
}

describe('compaction', () => {
  test('is triggered by edits alone and keeps only the newest version of each link', async () => {
    const folder = await newFolder();
    const store = await openFolder(folder, SMALL);
    const original = await addLink(store, newLink('edited'));
    store.countHit(original.id);
    const untouched = await addLink(store, newLink('untouched'));
    const other = await addLink(store, newLink('moved'));
    await store.editLink(editOf(other, { alias: 'new', title: 'moved' }));
    const newcomer = await addLink(store, newLink('newcomer'));
    for (const generation of [2, 3]) await editUntilSnapshot(store, folder, original, generation);
    store.countHit(original.id);
    const aliases = ['edited', 'untouched', 'new', 'newcomer', 'moved'];
    const expected = await linksOf(store, aliases);
    expect(expected[0]).toMatchObject({ hits: 2 });
    expect(expected.slice(1)).toEqual([
      untouched,
      {
        ...other,
        alias: 'new',
        previousAliases: ['moved'],
        title: 'moved',
        editedAt: NOW + 1,
        version: 2,
      },
      newcomer,
    ]);
    await store.close();
    const snapshot = await readFile(snapshotPath(folder, readGenerations(folder).snapshot ?? 0));
    expect(snapshot.toString().match(/\["link",/g)).toHaveLength(4);
    expect(snapshot.toString()).not.toMatch(/"original"/);
    const reopened = await openUntilTestEnds(folder);
    expect(await linksOf(reopened, aliases)).toEqual(expected);
    expect(await reopened.countLinks('account-1', NOW)).toEqual({
      month: 5,
      total: 4,
      imported: 0,
    });
  });

  test.each(['in one session', 'reopened in between'])(
    'starts when the journals are as large as the snapshot (%s)',
    async (when) => {
      const folder = await newFolder();
      // Without a compaction while the links are added.
      let store = await openFolder(folder);
      const [link] = await Promise.all(
        Array.from({ length: 200 }, (_, number) => addLink(store, newLink(`link-${number}`))),
      );
      if (!link) throw new Error('no link');
      await store.close();
      store = await openFolder(folder, SMALL);
      const reopen = async () => {
        if (when === 'in one session') return;
        await store.close();
        store = await openFolder(folder, SMALL);
      };
      const sizeOf = (path: string) => statSync(path).size;
      await editBetweenCompactions(store, folder, link, 2);
      const first = sizeOf(journalPath(folder, 1));
      expect(first).toBeGreaterThan(SMALL.compactAtBytes);
      await reopen();
      for (let edit = 0; edit < 50; edit++) await store.editLink(editOf(link, { title: 'x' }));
      await reopen();
      await editBetweenCompactions(store, folder, link, 3);
      const ratio = sizeOf(journalPath(folder, 2)) / sizeOf(snapshotPath(folder, 2));
      expect(ratio).toBeGreaterThan(0.95);
      expect(ratio).toBeLessThan(1.1);
      await store.close();
    },
  );

  test('removes a generation only when the next but one is complete', async () => {
    const folder = await newFolder();
    for (let compaction = 0; compaction < 4; compaction++) {
      const before = await jsonLines(folder);
      const store = await openFolder(folder, SMALL);
      const generation = (readGenerations(folder).snapshot ?? 1) + 1;
      await addUntilSnapshot(store, folder, generation);
      await store.close();
      // A copy that started before can still be completed: its snapshot and the journals after it exist.
      const { snapshot = 0 } = readGenerations(folder);
      const newest = before.findLast((name) => name.startsWith('snapshot'));
      if (snapshot === generation && newest) {
        expect(await jsonLines(folder)).toContain(newest);
        expect(await jsonLines(folder)).toContain(newest.replace('snapshot', 'journal'));
      }
    }
    // Also if the server stopped before removing them.
    await (await openFolder(folder)).close();
    const generations = (await jsonLines(folder)).map((name) => name.slice(0, 8));
    expect(generations.filter((kind) => kind === 'snapshot')).toHaveLength(2);
  });

  test('can be undone without losing data if the snapshot is damaged', async () => {
    const folder = await newFolder();
    const store = await openFolder(folder, SMALL);
    const aliases = await addUntilSnapshot(store, folder, 2);
    aliases.push(...(await addUntilSnapshot(store, folder, 3)));
    await store.close();
    const snapshot = snapshotPath(folder, readGenerations(folder).snapshot ?? 0);
    const whole = await readFile(snapshot);
    const damages = [
      whole.subarray(0, whole.lastIndexOf('\n', whole.length - 2) + 1),
      whole.subarray(0, whole.length - 1),
      Buffer.concat([whole.subarray(0, 300), Buffer.from('X'), whole.subarray(301)]),
    ];
    for (const damaged of damages) {
      await writeFile(snapshot, damaged);
      const error = await openFolder(folder).catch((caught: unknown) => caught);
      expect(error).toBeInstanceOf(StoreOpenError);
      expect(String(error)).toContain('move this file away, and the server starts from');
      const report = await checkFolder(folder, NOW);
      expect(report).toMatchObject({ isHealthy: false, problems: expect.any(Array) });
      expect(report.problems[0]).toMatchObject({ severity: 'damage', path: snapshot });
      expect(report.problems[0]?.repair).toContain('move this file away');
      expect(await readFile(snapshot)).toEqual(damaged);
    }
    await rename(snapshot, `${snapshot}.away`);
    const reopened = await openUntilTestEnds(folder);
    expect(await linksOf(reopened, aliases)).toHaveLength(aliases.length);
  });

  test('changes nothing if it fails, and the store continues to work', async () => {
    const folder = await newFolder();
    const errors: unknown[] = [];
    const store = await openFolder(folder, { ...SMALL, onError: (error) => errors.push(error) });
    const inTheWay = join(folder, 'snapshot-000002.jsonl.tmp');
    await mkdir(inTheWay);
    const aliases: string[] = [];
    for (let number = 0; errors.length === 0 && number < 500; number++) {
      aliases.push(`link-${number}`);
      await store.addLink(wasteful(`link-${number}`));
      await store.settled();
    }
    expect(errors).toEqual([expect.objectContaining({ code: 'EISDIR' })]);
    expect(store.metrics().compactions).toEqual({ completed: 0, failed: 1 });
    await store.addLink(newLink('after'));
    await store.close();
    await rmdir(inTheWay);
    const reopened = await openUntilTestEnds(folder);
    expect(await linksOf(reopened, [...aliases, 'after'])).toHaveLength(aliases.length + 1);
  });

  test('starts over after a crash and removes temporary files', async () => {
    const folder = await newFolder();
    const store = await openFolder(folder, SMALL);
    const aliases = await addUntilSnapshot(store, folder, 2);
    await store.close();
    await writeFile(`${snapshotPath(folder, 99)}.tmp`, 'half a snapsh');
    await writeFile(join(folder, 'journal-000099.jsonl.tmp'), 'half a jour');
    const reopened = await openUntilTestEnds(folder);
    expect(await linksOf(reopened, aliases)).toHaveLength(aliases.length);
    expect((await readdir(folder)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });
});

describe('a backup', () => {
  test('can be made at any time by copying the files, also under load and during compaction', async () => {
    const folder = await newFolder();
    const store = await openUntilTestEnds(folder, { compactAtBytes: 200_000 });
    const acknowledged: string[] = [];
    /** The newest acknowledged edit of each worker's own link. */
    const edited: number[] = [];
    let isLoaded = true;
    /** A copy that takes longer than two compactions misses files, so the load pauses after one. */
    let compactionsBefore = Number.POSITIVE_INFINITY;
    const isPaused = () => {
      if (store.metrics().compactions.completed > compactionsBefore) return true;
      // Nor may the next one be due when one that is running completes.
      const { journals } = readGenerations(folder);
      const newest = journalPath(folder, journals.at(-1) ?? 0);
      return journals.length > 1 && statSync(newest).size > 100_000;
    };
    const load = Promise.all(
      Array.from({ length: 8 }, async (_, worker) => {
        const own = await addLink(store, newLink(`own-${worker}-0`));
        edited[worker] = 0;
        for (let number = 1; isLoaded; number++) {
          // Mostly edits: a snapshot that grows would make compactions rare.
          if (number % 10 === 0) {
            const alias = `link-${worker}-${number}`;
            await store.addLink(newLink(alias, { quota: 1_000_000 }));
            acknowledged.push(alias);
          }
          const title = `${number} `.padEnd(200, '-');
          const changes = { alias: `own-${worker}-${number}`, previousAliases: [], title };
          expect(
            (await store.editLink({ ...editOf(own, changes), quota: Number.POSITIVE_INFINITY }))
              .kind,
          ).toBe('edited');
          edited[worker] = number;
          do await delay(1);
          while (isPaused());
        }
      }),
    );
    for (let copies = 0; copies < 12; copies++) {
      // Some at any time, some during a compaction.
      if (copies % 3 === 0) await vi.waitUntil(() => isCompacting(folder), WAIT);
      compactionsBefore = store.metrics().compactions.completed;
      const names = readdirSync(folder).sort(() => Math.random() - 0.5);
      const known = [...acknowledged];
      const knownEdits = [...edited];
      const copy = join(await newFolder(), 'copy');
      await mkdir(copy);
      for (const name of names) {
        // Files that were removed meanwhile belong to a generation that this copy does not need.
        await cp(join(folder, name), join(copy, name)).catch((error: NodeJS.ErrnoException) => {
          if (error.code !== 'ENOENT') throw error;
        });
        await delay(Math.random() * 3);
      }
      compactionsBefore = Number.POSITIVE_INFINITY;
      const restored = await openFolder(copy, { onWarning: () => undefined });
      expect(await linksOf(restored, known)).toHaveLength(known.length);
      for (const [worker, number] of knownEdits.entries()) {
        const later = Array.from({ length: (edited[worker] ?? 0) + 2 - number }, (_, more) => {
          return `own-${worker}-${number + more}`;
        });
        const found = await linksOf(restored, later);
        expect(found).toHaveLength(1);
        const [, , edit = ''] = found[0]?.alias.split('-') ?? [];
        expect(found[0]?.title).toBe(edit === '0' ? '' : `${edit} `.padEnd(200, '-'));
      }
      await restored.close();
      await rm(copy, { recursive: true });
    }
    isLoaded = false;
    await load;
  });
});
