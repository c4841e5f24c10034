import { appendFile, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readGenerations } from '../../server/store/json-file/files/generations.ts';
import type { Store } from '../../server/store/store.ts';
import { ManualTime } from '../support/manual-time.ts';
import { newFolder } from '../support/new-folder.ts';
import {
  ADMINISTRATOR,
  addLink,
  editOf,
  NOW,
  newKey,
  newLink,
  newToken,
  ownLinkOf,
} from './contract.ts';
import { faultyDisk } from './support/faulty-disk.ts';
import { openFolder, openUntilTestEnds } from './support/folders.ts';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
const SECRETS = ['secret-target', 'secret-title', 'secret-text', 'secret-tag', 'secret-hash'];

async function textOf(folder: string): Promise<string> {
  const names = (await readdir(folder)).filter((name) => name !== 'lock');
  // A file may be removed meanwhile.
  const texts = names.map((name) => readFile(join(folder, name), 'utf8').catch(() => ''));
  return (await Promise.all(texts)).join('\n');
}

async function secretsIn(folder: string): Promise<string[]> {
  const text = await textOf(folder);
  return [...SECRETS, 'secret-token'].filter((secret) => text.includes(secret));
}

function secretLink(alias: string, accountId = 'account-1') {
  const [target, title, description, tag, passwordHash] = SECRETS as [string, ...string[]];
  const secret = {
    originalUrl: `https://example.com/${target}`,
    targetUrl: `https://example.com/${target}`,
    title: title ?? '',
    description: description ?? '',
    tags: [tag ?? ''],
    passwordHash: passwordHash ?? '',
  };
  return newLink(alias, { idempotency: newKey(), link: { ...secret, accountId } });
}

/** Two edits, so that earlier versions are in the files, too. */
async function addEdited(store: Store, alias: string, accountId?: string) {
  const link = await addLink(store, secretLink(alias, accountId));
  await store.editLink(editOf(link, { title: 'secret-title again' }));
  await store.editLink(editOf(link, { alias: `${alias}-renamed`, title: '' }));
  return link;
}

describe('erasure', () => {
  test('removes a purged link from all files within a day, even if nothing else is written', async () => {
    const folder = await newFolder();
    const time = new ManualTime();
    const store = await openFolder(folder, { time });
    const link = await addEdited(store, 'one');
    const kept = await addLink(store, newLink('kept'));
    await store.purgeLink(ownLinkOf(link));
    expect(await secretsIn(folder)).toEqual(SECRETS);
    await time.advance(13 * HOUR_MS);
    expect(readGenerations(folder).snapshot).toBe(2);
    await time.advance(2 * HOUR_MS);
    expect(await secretsIn(folder)).toEqual([]);
    expect(readGenerations(folder).previous).toEqual([]);
    await store.close();
    const reopened = await openUntilTestEnds(folder, { time });
    expect(await reopened.findLink('kept')).toEqual(kept);
    expect(await reopened.findLink('one')).toBeUndefined();
    expect(await reopened.isAliasFree('one')).toBe(false);
    const counts = { month: 3, total: 1, imported: 0 };
    expect(await reopened.countLinks('account-1', NOW)).toEqual(counts);
    expect((await reopened.addLink(newLink('One-Renamed'))).kind).toBe('added');
  });

  test('removes an account with all links and tokens, remembered across restarts', async () => {
    const folder = await newFolder();
    const time = new ManualTime();
    const account = {
      id: 'erased',
      tokenHash: 'secret-token 1',
      name: 'secret-title',
      identityHash: 'secret-hash',
      created: NOW,
    };
    let store = await openFolder(folder, { time });
    onTestFinished(() => store.close());
    const reopen = async (afterMs = 0) => {
      await store.close();
      await time.advance(afterMs);
      store = await openFolder(folder, { time });
      // Maintenance runs at once.
      await time.advance(0);
    };
    await store.addLink({ ...secretLink('first', account.id), newAccount: account });
    await addEdited(store, 'second', account.id);
    const purged = await addEdited(store, 'third', account.id);
    await store.purgeLink(ownLinkOf(purged));
    await store.addToken({
      token: newToken(account.id, {
        id: 'further',
        tokenHash: 'secret-token 2',
        name: 'secret-text',
      }),
      by: ADMINISTRATOR,
    });
    store.markTokenUsed({ id: 'further', accountId: account.id }, NOW);
    const kept = await addLink(store, newLink('kept'));
    await store.deleteAccount({ accountId: account.id, by: ADMINISTRATOR });
    await reopen();
    // What a crash tore is in the folder, too.
    await appendFile(join(folder, 'journal.torn'), 'secret-target');
    await reopen(13 * HOUR_MS);
    expect(readGenerations(folder).snapshot).toBe(2);
    // A backup that was started before can still be completed.
    expect(await secretsIn(folder)).not.toEqual([]);
    await reopen();
    await reopen(2 * HOUR_MS);
    expect(await secretsIn(folder)).toEqual([]);
    await reopen();
    expect(await textOf(folder)).not.toContain('"erased"');
    for (const alias of ['first', 'second', 'second-renamed', 'third', 'third-renamed']) {
      expect(await store.isAliasFree(alias)).toBe(false);
      const input = newLink(alias, { link: { accountId: 'erased' } });
      expect((await store.addLink(input)).kind).toBe('alias_taken');
    }
    expect(await store.findLink('kept')).toEqual(kept);
  });

  test('removes files while the disk is full', async () => {
    const folder = await newFolder();
    const time = new ManualTime();
    const { openFile, faults } = faultyDisk();
    const onError = () => {};
    const store = await openUntilTestEnds(folder, { openFile, onError, time });
    const outdated = await addLink(store, newLink('outdated'));
    await store.editLink(editOf(outdated, { deletedAt: NOW }));
    await store.purgeLink(ownLinkOf(await addEdited(store, 'one')));
    await time.advance(13 * HOUR_MS);
    expect(readGenerations(folder).snapshot).toBe(2);
    faults.set('write', 'ENOSPC');
    await time.advance(2 * HOUR_MS);
    expect(await secretsIn(folder)).toEqual([]);
    faults.clear();
  });

  test('does not repeat itself', async () => {
    const folder = await newFolder();
    const time = new ManualTime();
    const store = await openUntilTestEnds(folder, { time });
    const link = await addLink(store, secretLink('one'));
    await store.purgeLink(ownLinkOf(link));
    await time.advance(13 * HOUR_MS);
    expect(readGenerations(folder).snapshot).toBe(2);
    await time.advance(13 * HOUR_MS);
    expect(await secretsIn(folder)).toEqual([]);
    await time.advance(24 * HOUR_MS);
    expect(readGenerations(folder).snapshot).toBe(2);
  });
});

describe('a deleted link', () => {
  test.each(['while the store is open', 'when it is opened'])(
    'is purged after its time %s, unless it was restored',
    async (when) => {
      const folder = await newFolder();
      const time = new ManualTime();
      let store = await openFolder(folder, { time });
      onTestFinished(() => store.close());
      const link = await addLink(store, newLink('one'));
      const restored = await addLink(store, newLink('restored'));
      for (const each of [link, restored]) {
        await store.editLink(editOf(each, { deletedAt: NOW }));
      }
      await store.editLink(editOf(restored, { deletedAt: null }));
      const passDays = async (days: number) => {
        if (when === 'while the store is open') return time.passDays(days);
        for (let day = 0; day < days; day++) {
          await store.close();
          await time.advance(DAY_MS);
          store = await openFolder(folder, { time });
          await time.advance(0);
        }
      };
      await passDays(30);
      expect(await store.findLink('one')).toMatchObject({ deletedAt: NOW });
      await passDays(1);
      expect(await store.findLink('one')).toBeUndefined();
      expect(await store.findLink('restored')).toMatchObject({ deletedAt: null });
      expect(await store.isAliasFree('one')).toBe(false);
    },
  );

  test('is not purged while it is blocked', async () => {
    const time = new ManualTime();
    const store = await openUntilTestEnds(await newFolder(), { time });
    const blocked = await addLink(store, newLink('blocked'));
    const other = await addLink(store, newLink('other'));
    for (const each of [blocked, other]) await store.editLink(editOf(each, { deletedAt: NOW }));
    const block = { kind: 'link', value: blocked.id, reason: 'Phishing', since: NOW } as const;
    await store.administration.addBlock(block);
    await time.passDays(31);
    expect(await store.findLink('other')).toBeUndefined();
    expect(await store.findLink('blocked')).toMatchObject({ id: blocked.id });
    await store.administration.removeBlock(block);
    await time.advance(HOUR_MS);
    expect(await store.findLink('blocked')).toBeUndefined();
  });
});
