import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { StoreOpenError } from '../../server/store/store.ts';
import { IDEMPOTENCY_WINDOW_MS } from '../../shared/bounds.ts';
import { ManualTime } from '../support/manual-time.ts';
import { newFolder } from '../support/new-folder.ts';
import { describeStoreContract } from './contract/describe-contract.ts';
import { addLink, editOf, NOW, newLink, targetOf } from './contract.ts';
import { compactFolder } from './support/compact-folder.ts';
import { openFolder, openUntilTestEnds } from './support/folders.ts';
import { readData } from './support/read-data.ts';

describeStoreContract('JSON-file store', async () => {
  const folder = await newFolder();
  const time = new ManualTime();
  let store = await openFolder(folder, { time });
  onTestFinished(() => store.close());
  /** From a snapshot of what was loaded from the journal: it must have everything. */
  const reopen = async () => {
    await store.close();
    await compactFolder(folder, time.now());
    store = await openFolder(folder, { time });
    return store;
  };
  return { store, time, reopen, maintain: reopen };
});

describe('JSON-file store: the folder', () => {
  test('is created if missing and readable only by its owner', async () => {
    const folder = join(await newFolder(), 'a', 'b');
    const store = await openUntilTestEnds(folder);
    await store.addLink(newLink('one'));
    await store.secret();
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    for (const name of ['journal-000001.jsonl', 'secret']) {
      expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
    }
  });

  test('contains the link and no temporary file when the call resolves', async () => {
    const folder = await newFolder();
    const store = await openUntilTestEnds(folder);
    await store.addLink(newLink('one'));
    const journal = await readFile(join(folder, 'journal-000001.jsonl'), 'utf8');
    expect(journal).toContain('"alias":"one"');
    expect((await readdir(folder)).sort()).toEqual(['journal-000001.jsonl', 'lock']);
  });

  test('contains the serialized URL only if it differs from the original one', async () => {
    const folder = await newFolder();
    const store = await openUntilTestEnds(folder);
    await store.addLink(newLink('same'));
    await store.addLink(newLink('other', { link: targetOf('https://example.com/ü') }));
    const { links } = await readData(folder);
    expect(links.map(({ targetUrl }) => targetUrl)).toEqual([
      undefined,
      'https://example.com/%C3%BC',
    ]);
  });

  test('is locked for a second store', async () => {
    const folder = await newFolder();
    await openUntilTestEnds(folder);
    await expect(openFolder(folder)).rejects.toThrow(/Another Curt server is using .*STORE_URL/);
  });

  test('is unlocked when the store is closed', async () => {
    const folder = await newFolder();
    await (await openFolder(folder)).close();
    await openUntilTestEnds(folder);
  });
});

describe('JSON-file store: an unreadable file', () => {
  test('makes opening fail and releases the lock, so that the repaired folder opens', async () => {
    const folder = await newFolder();
    const journal = join(folder, 'journal-000001.jsonl');
    await writeFile(journal, 'no journal\n');
    await expect(openFolder(folder)).rejects.toThrow(StoreOpenError);
    expect(await readFile(journal, 'utf8')).toBe('no journal\n');
    await rm(journal);
    await openUntilTestEnds(folder);
  });

  test('makes reading the secret fail instead of creating a new one', async () => {
    const folder = await newFolder();
    const store = await openUntilTestEnds(folder);
    await writeFile(join(folder, 'secret'), 'short\n');
    await expect(store.secret()).rejects.toThrow(/secret does not contain a secret of 32 bytes/);
    expect(await readFile(join(folder, 'secret'), 'utf8')).toBe('short\n');
  });

  test.each(['secret', 'audit.jsonl', 'last-backup', 'journal.torn'])(
    'that is missing although the folder has %s makes opening fail, or others would get its aliases',
    async (name) => {
      const folder = await newFolder();
      await writeFile(join(folder, name), 'left');
      await expect(openFolder(folder)).rejects.toThrow(
        `${folder} was in use, since it has '${name}', but its journals and snapshots are missing.\nNothing was changed. Restore`,
      );
      expect((await readdir(folder)).filter((file) => file !== 'lock')).toEqual([name]);
    },
  );

  test('makes opening fail if the folder is a file', async () => {
    const path = join(await newFolder(), 'file');
    await writeFile(path, '');
    await expect(openFolder(path)).rejects.toThrow(StoreOpenError);
  });
});

describe('JSON-file store: an edited link', () => {
  test('takes visits as it is after an edit that is not on disk yet', async () => {
    const store = await openUntilTestEnds(await newFolder());
    const link = await addLink(store, newLink('limited', { link: { maxVisits: 5 } }));
    store.countHit(link.id);
    const edited = store.editLink(editOf(link, { maxVisits: 2 }));
    const passed = [store.takeVisit(link.id), store.takeVisit(link.id)];
    await edited;
    expect(await Promise.all(passed)).toEqual([true, false]);
  });

  test('is returned as created if a retry began within 24 hours and reads it a moment later', async () => {
    const time = new ManualTime();
    const store = await openUntilTestEnds(await newFolder(), { time });
    const idempotency = { keyHash: 'key', bodyHash: 'body', tokenSalt: null };
    const [original, otherOriginal] = await Promise.all([
      addLink(store, newLink('one', { idempotency })),
      addLink(store, newLink('two', { idempotency: { ...idempotency, keyHash: 'key too' } })),
    ]);
    await store.editLink(editOf(original, { title: 'edited within the day' }));
    const began = NOW + IDEMPOTENCY_WINDOW_MS - 1;
    // Expired keys are deleted once a second: not again before the last edit.
    time.setClock(NOW + IDEMPOTENCY_WINDOW_MS - 2);
    await store.addLink(newLink('three'));
    time.setClock(NOW + IDEMPOTENCY_WINDOW_MS + 900);
    await store.editLink(editOf(otherOriginal, { title: 'edited after it' }));
    expect(await store.findReplay('key', began)).toMatchObject({ link: original });
    expect(await store.findReplay('key too', began)).toMatchObject({ link: otherOriginal });
    expect(await store.findReplay('key', time.now())).toBeUndefined();
  });
});
