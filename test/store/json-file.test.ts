import { spawnSync } from 'node:child_process';
import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { StoreOpenError, StoreUnavailableError } from '../../server/store/store.ts';
import { IDEMPOTENCY_WINDOW_MS } from '../../shared/limits.ts';
import { addLink, describeStoreContract, editOf, NOW, targetOf, wishFor } from './contract.ts';
import { newFolder, openFolder, openUntilTestEnds } from './support/folders.ts';
import { readData } from './support/read-data.ts';

describeStoreContract('JSON-file store', async () => {
  const folder = await newFolder();
  let store = await openFolder(folder);
  onTestFinished(() => store.close());
  return {
    store,
    reopen: async () => {
      await store.close();
      store = await openFolder(folder);
      return store;
    },
  };
});

describe('JSON-file store: the folder', () => {
  test('is made where there is none, and can be read by its owner alone', async () => {
    const folder = join(await newFolder(), 'a', 'b');
    const store = await openUntilTestEnds(folder);
    await store.addLink(wishFor('one'));
    await store.secret();
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    for (const name of ['journal-000001.jsonl', 'secret']) {
      expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
    }
  });

  test('holds the link when the call is answered, and no temporary file', async () => {
    const folder = await newFolder();
    const store = await openUntilTestEnds(folder);
    await store.addLink(wishFor('one'));
    const journal = await readFile(join(folder, 'journal-000001.jsonl'), 'utf8');
    expect(journal).toContain('"alias":"one"');
    expect((await readdir(folder)).sort()).toEqual(['journal-000001.jsonl', 'lock']);
  });

  test('holds the serialized URL only where it differs from the one that was sent', async () => {
    const folder = await newFolder();
    const store = await openUntilTestEnds(folder);
    await store.addLink(wishFor('same'));
    const wish = wishFor('other');
    await store.addLink({ ...wish, link: { ...wish.link, ...targetOf('https://example.com/ü') } });
    const { links } = await readData(folder);
    expect(links.map(({ targetUrl }) => targetUrl)).toEqual([
      undefined,
      'https://example.com/%C3%BC',
    ]);
  });

  test('is refused to a second store, in this process and in another', async () => {
    const folder = await newFolder();
    await openUntilTestEnds(folder);
    await expect(openFolder(folder)).rejects.toThrow(/Another Curt server is using .*STORE_URL/);
    const server = spawnSync(process.execPath, ['server/main.ts'], {
      env: { PORT: '0', STORE_URL: `file:${folder}` },
      encoding: 'utf8',
    });
    expect(server.status).toBe(1);
    expect(server.stderr).toMatch(/^Another Curt server is using .*\n$/);
  });

  test('is free again once the store is closed', async () => {
    const folder = await newFolder();
    await (await openFolder(folder)).close();
    await openUntilTestEnds(folder);
  });
});

describe('JSON-file store: a file that cannot be read', () => {
  test('stops the start, and lets the lock go, so that the mended folder opens', async () => {
    const folder = await newFolder();
    const journal = join(folder, 'journal-000001.jsonl');
    await writeFile(journal, 'no journal\n');
    await expect(openFolder(folder)).rejects.toThrow(StoreOpenError);
    expect(await readFile(journal, 'utf8')).toBe('no journal\n');
    await rm(journal);
    await openUntilTestEnds(folder);
  });

  test('stops the start when the secret is broken, instead of making another', async () => {
    const folder = await newFolder();
    await writeFile(join(folder, 'secret'), 'short\n');
    const store = await openUntilTestEnds(folder);
    await expect(store.secret()).rejects.toThrow(/secret does not hold a secret of 32 bytes/);
    expect(await readFile(join(folder, 'secret'), 'utf8')).toBe('short\n');
  });

  test('stops the start when the folder is a file', async () => {
    const path = join(await newFolder(), 'file');
    await writeFile(path, '');
    await expect(openFolder(path)).rejects.toThrow(StoreOpenError);
  });
});

describe('JSON-file store: an edited link', () => {
  test('is told as it was made to a call that began within its day and asks after it', async () => {
    let now = NOW;
    const store = await openUntilTestEnds(await newFolder(), { clock: () => now });
    const idempotency = { keyHash: 'key', bodyHash: 'body', tokenSalt: null };
    const [made, madeToo] = await Promise.all([
      addLink(store, wishFor('one', { idempotency })),
      addLink(store, wishFor('two', { idempotency: { ...idempotency, keyHash: 'key too' } })),
    ]);
    await store.editLink(editOf(made, { title: 'edited within the day' }));
    const began = NOW + IDEMPOTENCY_WINDOW_MS - 1;
    // Keys are forgotten once a second: not again before the last edit.
    now = NOW + IDEMPOTENCY_WINDOW_MS - 2;
    await store.addLink(wishFor('three'));
    now = NOW + IDEMPOTENCY_WINDOW_MS + 900;
    await store.editLink(editOf(madeToo, { title: 'edited after it' }));
    expect(await store.findReplay('key', began)).toMatchObject({ link: made });
    expect(await store.findReplay('key too', began)).toMatchObject({ link: madeToo });
    expect(await store.findReplay('key', now)).toBeUndefined();
  });
});

describe('JSON-file store: a disk that fails', () => {
  test('costs no hit: they are written once it is back', async () => {
    const folder = await newFolder();
    const errors: unknown[] = [];
    const store = await openFolder(folder, { onError: (error) => errors.push(error) });
    const outcome = await store.addLink(wishFor('visited'));
    if (outcome.kind !== 'added') throw new Error('the link must be added');
    await rename(folder, `${folder}-away`);
    store.countHit(outcome.link.id);
    await expect.poll(() => errors.length, { timeout: 4000 }).toBeGreaterThan(0);
    await rename(`${folder}-away`, folder);
    await store.close();
    expect((await (await openUntilTestEnds(folder)).findLink('visited'))?.hits).toBe(1);
  });

  test('rejects the call, keeps nothing of it, and goes on once the disk is back', async () => {
    const folder = await newFolder();
    const store = await openUntilTestEnds(folder);
    await store.addLink(wishFor('kept'));
    await rename(folder, `${folder}-away`);

    const account = { id: 'account-2', tokenHash: 'hash', created: NOW };
    const idempotency = { keyHash: 'key', bodyHash: 'body', tokenSalt: null };
    const calls = await Promise.allSettled([
      store.addLink(wishFor('lost-1', { newAccount: account, idempotency })),
      store.addLink(wishFor('lost-2')),
      store.addLink(wishFor('lost-3', { idempotency })),
    ]);
    for (const call of calls) {
      expect(call).toMatchObject({ status: 'rejected', reason: expect.any(StoreUnavailableError) });
    }
    expect(await store.findLink('kept')).toBeDefined();
    expect(await store.findLink('lost-1')).toBeUndefined();
    expect(await store.findLink('lost-2')).toBeUndefined();
    expect(await store.findAccount('hash')).toBeUndefined();
    expect(await store.findReplay('key', NOW)).toBeUndefined();
    expect((await store.countLinks('account-1', NOW)).total).toBe(1);

    await rename(`${folder}-away`, folder);
    expect((await store.addLink(wishFor('lost-1'))).kind).toBe('added');
    const { links } = await readData(folder);
    expect(links.map(({ alias }) => alias)).toEqual(['kept', 'lost-1']);
  });
});
