import { spawnSync } from 'node:child_process';
import { cp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fromLinkJson } from '../../server/store/link.ts';
import { type Store, StoreOpenError, StoreUnavailableError } from '../../server/store/store.ts';
import { ManualTime } from '../support/manual-time.ts';
import { newFolder } from '../support/new-folder.ts';
import { addLink, editOf, NOW, newLink } from './contract.ts';
import { faultyDisk, type Operation } from './support/faulty-disk.ts';
import { linksOf, openFolder, openUntilTestEnds } from './support/folders.ts';
import { LimitedStore } from './support/limited-disk.ts';

/** What a server would read after a crash: opens a copy of the folder as it is now. */
async function aliasesAfterCrash(folder: string, aliases: string[]): Promise<string[]> {
  const copy = join(await newFolder(), 'copy');
  await cp(folder, copy, { recursive: true });
  const store = await openFolder(copy, { onWarning: () => undefined });
  const links = await linksOf(store, aliases);
  await store.close();
  return links.map(({ alias }) => alias);
}

async function expectUnavailable(store: Store, alias: string): Promise<void> {
  await expect(store.addLink(newLink(alias))).rejects.toThrow(StoreUnavailableError);
  expect(await store.findLink(alias)).toBeUndefined();
}

describe('a failing disk', () => {
  test.each([
    ['a write that a full disk cuts short', { write: 'ENOSPC' }],
    ['a write that fails', { write: 'EIO' }],
    ['an fsync that fails', { datasync: 'EIO' }],
    ['a folder that became read-only', { write: 'EROFS', open: 'EROFS', truncate: 'EROFS' }],
    [
      'a failing fsync on a disk that also fails to truncate',
      { datasync: 'EIO', truncate: 'EIO', sync: 'EIO' },
    ],
  ])('drops the changes of %s and works again afterwards', async (_, codes) => {
    const folder = await newFolder();
    const { openFile, faults } = faultyDisk();
    const store = await openUntilTestEnds(folder, { openFile });
    const before = await addLink(store, newLink('before'));

    for (const [operation, code] of Object.entries(codes)) faults.set(operation as Operation, code);
    const idempotency = { keyHash: 'key', bodyHash: 'body', tokenSalt: null };
    const newAccount = { id: 'account-2', tokenHash: 'token', name: '', created: NOW };
    const lost = store.addLink(newLink('lost', { idempotency, newAccount }));
    await expect(lost).rejects.toThrow(StoreUnavailableError);
    await expectUnavailable(store, 'lost-too');
    const edit = editOf(before, { alias: 'edited', title: 'edited' });
    await expect(store.editLink(edit)).rejects.toThrow(StoreUnavailableError);
    expect(await store.findLink('before')).toEqual(before);
    expect(await store.findLink('edited')).toBeUndefined();
    expect(await store.findToken('token')).toBeUndefined();
    expect(await store.findReplay('key', NOW)).toBeUndefined();
    expect(await store.countLinks('account-1', NOW)).toEqual({ month: 1, total: 1, imported: 0 });

    faults.clear();
    expect((await store.addLink(newLink('lost', { idempotency }))).kind).toBe('added');
    await store.addLink(newLink('after'));
    const aliases = ['before', 'edited', 'lost', 'lost-too', 'after'];
    expect(await aliasesAfterCrash(folder, aliases)).toEqual(['before', 'lost', 'after']);
    expect((await store.editLink(edit)).kind).toBe('edited');
    expect(await aliasesAfterCrash(folder, aliases)).toEqual(['edited', 'lost', 'after']);
  });

  test('drops both a link and an edit if their common write fails', async () => {
    const folder = await newFolder();
    const { openFile, faults } = faultyDisk();
    const store = await openUntilTestEnds(folder, { openFile });
    const original = await addLink(store, newLink('before'));
    faults.set('datasync', 'EIO');
    const calls = await Promise.allSettled([
      store.editLink(editOf(original, { alias: 'edited' })),
      store.addLink(newLink('lost')),
      store.editLink(editOf(original, { alias: 'edited-too' })),
    ]);
    for (const call of calls) {
      expect(call).toMatchObject({ reason: expect.any(StoreUnavailableError) });
    }
    faults.clear();
    // Failed calls release their alias and the link.
    expect((await store.addLink(newLink('edited'))).kind).toBe('added');
    const edit = editOf(original, { alias: 'edited-too' });
    expect((await store.editLink(edit)).kind).toBe('edited');
    const aliases = ['before', 'edited', 'edited-too', 'lost'];
    expect(await aliasesAfterCrash(folder, aliases)).toEqual(['edited-too', 'edited']);
  });

  test('drops the changes that wait for a write that fails, for good', async () => {
    const folder = await newFolder();
    const { openFile, faults, done, holdSyncs } = faultyDisk();
    const store = await openUntilTestEnds(folder, { openFile });
    await addLink(store, newLink('before'));
    done.length = 0;
    faults.set('datasync', 'EIO');
    const release = holdSyncs();
    const writing = store.addLink(newLink('writing'));
    await expect.poll(() => done).toContain('write');
    const waiting = store.addLink(newLink('waiting'));
    release();
    for (const call of await Promise.allSettled([writing, waiting])) {
      expect(call).toMatchObject({ reason: expect.any(StoreUnavailableError) });
    }
    faults.clear();
    await store.addLink(newLink('after'));
    const aliases = ['before', 'writing', 'waiting', 'after'];
    expect(await aliasesAfterCrash(folder, aliases)).toEqual(['before', 'after']);
  });

  test('shows no link or edit before it is on disk', async () => {
    const { openFile, done, holdSyncs } = faultyDisk();
    const store = await openUntilTestEnds(await newFolder(), { openFile });
    /** Resolves when the changes of the calls are written, but not on disk yet. */
    const hold = async (calls: () => void) => {
      done.length = 0;
      const release = holdSyncs();
      calls();
      await expect.poll(() => done).toContain('write');
      return release;
    };
    const calls: Promise<{ kind: string }>[] = [];
    const kinds = async () => (await Promise.all(calls.splice(0))).map(({ kind }) => kind);
    let release = await hold(() =>
      calls.push(store.addLink(newLink('one')), store.addLink(newLink('ONE'))),
    );
    expect(await store.findLink('one')).toBeUndefined();
    release();
    expect(await kinds()).toEqual(['added', 'alias_taken']);
    const original = await store.findLink('one');
    if (!original) throw new Error('the link must be there');

    const edit = editOf(original, { alias: 'two', title: 'edited' });
    release = await hold(() => calls.push(store.editLink(edit), store.addLink(newLink('two'))));
    expect(await store.findLink('one')).toEqual(original);
    expect(await store.findLink('two')).toBeUndefined();
    calls.push(store.addLink(newLink('one')));
    release();
    expect(await kinds()).toEqual(['edited', 'alias_taken', 'alias_taken']);
    expect(await store.findLink('one')).toMatchObject({ alias: 'two' });
  });

  test('lets no visitor of a link with maxVisits pass whose visit it could not write', async () => {
    const { openFile, faults } = faultyDisk();
    const store = await openUntilTestEnds(await newFolder(), { openFile });
    const link = await addLink(store, newLink('one', { link: { maxVisits: 2 } }));
    store.countHit(link.id);
    faults.set('datasync', 'EIO');
    const first = store.takeVisit(link.id).catch((error: unknown) => {
      faults.clear();
      throw error;
    });
    // It would not pass, but that depends on the first one.
    const second = store.takeVisit(link.id);
    await expect(first).rejects.toThrow(StoreUnavailableError);
    await expect(second).rejects.toThrow(StoreUnavailableError);
    expect(await store.takeVisit(link.id)).toBe(true);
    expect(await store.takeVisit(link.id)).toBe(false);
    expect(await store.findLink('one')).toMatchObject({ hits: 2 });
  });

  test('releases the alias and the quota of a failed call', async () => {
    const { openFile, faults } = faultyDisk();
    const store = await openUntilTestEnds(await newFolder(), { openFile });
    faults.set('datasync', 'EIO');
    const first = store.addLink(newLink('one', { quota: 1 })).catch((error: unknown) => {
      faults.clear();
      throw error;
    });
    // That the alias is taken depends on the first call.
    const second = store.addLink(newLink('one', { quota: 1 }));
    await expect(first).rejects.toThrow(StoreUnavailableError);
    await expect(second).rejects.toThrow(StoreUnavailableError);
    const third = await store.addLink(newLink('one', { quota: 1 }));
    expect(third.kind).toBe('added');
  });

  test('never writes to a file again after its fsync failed', async () => {
    const folder = await newFolder();
    const { openFile, faults } = faultyDisk();
    const store = await openUntilTestEnds(folder, { openFile });
    await store.addLink(newLink('before'));
    const journal = join(folder, 'journal-000001.jsonl');
    const bytes = await readFile(journal);
    faults.set('datasync', 'EIO');
    await expectUnavailable(store, 'lost');
    faults.clear();
    await store.addLink(newLink('after'));
    expect(await readFile(journal)).toEqual(bytes);
    expect(await readFile(join(folder, 'journal-000002.jsonl'), 'utf8')).toContain('"after"');
  });

  test('adds no link if the folder was removed or replaced', async () => {
    const folder = await newFolder();
    const store = await openUntilTestEnds(folder);
    await store.addLink(newLink('before'));
    const copy = join(await newFolder(), 'copy');
    await cp(folder, copy, { recursive: true });
    await rm(folder, { recursive: true });
    await expectUnavailable(store, 'lost');
    await cp(copy, folder, { recursive: true });
    await expectUnavailable(store, 'lost');
    expect(await store.findLink('before')).toBeDefined();
  });

  test('drops a line that the kernel cut off in the middle, and continues to work', async () => {
    const folder = await newFolder();
    const store = await LimitedStore.open(folder);
    const original = newLink('before');
    const link = fromLinkJson(original.link.id, { ...original.link, alias: 'before' });
    await store.send({ add: original });
    const { size } = await stat(join(folder, 'journal-000001.jsonl'));
    store.limit(size + 200);
    expect(await store.send({ edit: editOf(link, { alias: 'lost' }) })).toEqual({
      kind: 'unavailable',
    });
    expect(await store.send({ find: ['before', 'lost'] })).toEqual({ links: [link] });
    // A new file is below the limit again.
    expect(await store.send({ edit: editOf(link, { alias: 'after' }) })).toEqual({
      kind: 'edited',
    });
    await store.close();
    expect(await aliasesAfterCrash(folder, ['before', 'lost', 'after'])).toEqual(['after']);
  });

  test('rejects calls while it is full and loses no acknowledged data', async () => {
    const folder = await newFolder();
    const store = await LimitedStore.open(folder);
    const added: string[] = [];
    const first = newLink('edited-0');
    await store.send({ add: first });
    const ownLink = { ...first.link, alias: '' };
    for (let round = 0; round < 2; round++) {
      for (let number = 0; number < 20; number++) {
        const alias = `link-${round}-${number}`;
        expect(await store.send({ add: newLink(alias) })).toEqual({ kind: 'added' });
        added.push(alias);
      }
      store.limit(0);
      for (const alias of ['lost', 'lost-too']) {
        expect(await store.send({ add: newLink(alias) })).toEqual({ kind: 'unavailable' });
        expect(await store.send({ edit: editOf(ownLink, { alias }) })).toEqual({
          kind: 'unavailable',
        });
      }
      const present = [...added, `edited-${round}`];
      const found = await store.send({ find: [...present, 'lost', 'lost-too'] });
      expect(found).toEqual({
        links: present.map((alias) => expect.objectContaining({ alias })),
      });
      expect(await aliasesAfterCrash(folder, [...present, 'lost', 'lost-too'])).toEqual(present);
      store.limit(undefined);
      expect(await store.send({ edit: editOf(ownLink, { alias: `edited-${round + 1}` }) })).toEqual(
        {
          kind: 'edited',
        },
      );
    }
    const present = [...added, 'edited-2'];
    const aliases = [...present, 'edited-0', 'edited-1', 'lost', 'lost-too'];
    expect(await aliasesAfterCrash(folder, aliases)).toEqual(present);
    expect((await readdir(folder)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
    await store.close();
  });

  test('fails the write check until writes succeed again', async () => {
    const folder = await newFolder();
    const { openFile, faults, done } = faultyDisk();
    const time = new ManualTime();
    const store = await openUntilTestEnds(folder, { openFile, time });
    await store.addLink(newLink('before'));
    // Maintenance writes once.
    await time.advance(0);
    faults.set('write', 'ENOSPC');
    // Without any requests, it is detected one minute after the last write.
    await time.advance(60_000);
    await expect(store.checkWritable()).rejects.toThrow(StoreUnavailableError);
    const failed = await store.checkWritable().catch((error: unknown) => error);
    expect(failed).toMatchObject({ cause: { code: 'ENOSPC' } });
    const operations = done.length;
    await expect(store.checkWritable()).rejects.toThrow(StoreUnavailableError);
    expect(done.length, 'checked again immediately, it does not write').toBe(operations);
    faults.clear();
    await time.advance(5000);
    await store.checkWritable();
    expect(await aliasesAfterCrash(folder, ['before'])).toEqual(['before']);
    faults.set('write', 'ENOSPC');
    await expectUnavailable(store, 'lost');
    await expect(store.checkWritable()).rejects.toThrow(StoreUnavailableError);
    faults.clear();
    // A successful write counts, too.
    await store.addLink(newLink('after'));
    await store.checkWritable();
  });

  test('fails to open with what to do while it is full', async () => {
    const folder = await newFolder();
    const { openFile, faults } = faultyDisk();
    faults.set('open', 'ENOSPC');
    await expect(openFolder(folder, { openFile })).rejects.toThrow(
      `${folder} cannot be used: its disk is full. Free space there, and start again.`,
    );
    faults.clear();
    await openUntilTestEnds(folder, { openFile });
  });

  test('fails to open with a clear message if nothing can be written', async () => {
    // A folder in which even root cannot create files.
    const folder = '/proc/self';
    const opening = openFolder(folder);
    await expect(opening).rejects.toThrow(StoreOpenError);
    await expect(opening).rejects.toThrow(`${folder} cannot be used: `);
  });
});

test('a folder is locked for a second server, which says so', async () => {
  const folder = await newFolder();
  await openUntilTestEnds(folder);
  const server = spawnSync(process.execPath, ['server/main.ts'], {
    env: { PORT: '0', STORE_URL: `file:${folder}` },
    encoding: 'utf8',
  });
  expect(server.status).toBe(1);
  expect(server.stderr).toMatch(/^Another Curt server is using .*\n$/);
});
