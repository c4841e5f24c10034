import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, open, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { checkFolder } from '../../server/store/tools/check.ts';
import { type Client, createClient } from '../../shared/client.ts';
import { linksOf, openFolder } from '../store/support/folders.ts';
import { dataOf } from '../support/data-of.ts';
import { newFolder } from '../support/new-folder.ts';
import { jsonOf, runCurt, spawnCurt } from './support/curt.ts';

const BACKUPS = 3;
const WORKERS = 4;
/** In one call, so that there are about a thousand new links a second also on a busy machine. */
const BATCH_LINKS = 50;
/** Created before each backup, at least. */
const LINKS = 500;

/** Starts the real server on this folder. */
async function serve(folder: string) {
  const env = {
    PORT: '0',
    LOG_LEVEL: 'warn',
    STORE_URL: `file:${folder}`,
    RATE_LIMIT_PER_MINUTE: '1000000',
    MONTHLY_QUOTA: 'unlimited',
  };
  const child = spawnCurt(['serve'], { env });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  const [line] = await once(child.stdout.setEncoding('utf8'), 'data');
  const [baseUrl = ''] = /http:\/\/localhost:\d+/.exec(line) ?? [];
  return { child, client: createClient({ baseUrl, timeoutMs: 60_000 }) };
}

/** Creates links until it is stopped. @returns the aliases that were acknowledged */
function createLinks(client: Client, token: string) {
  const acknowledged: string[] = [];
  let isLoaded = true;
  const workers = Array.from({ length: WORKERS }, async () => {
    const links = Array.from({ length: BATCH_LINKS }, (_, number) => {
      return { originalUrl: `https://example.com/${number}` };
    });
    while (isLoaded) {
      for (const result of dataOf(await client.createLinks({ body: links, token }))) {
        if (!result.success) throw new Error(result.message);
        acknowledged.push(result.data.alias);
      }
    }
  });
  const stop = async () => {
    isLoaded = false;
    await Promise.all(workers);
  };
  return { acknowledged, stop };
}

test('curt backup and restore keep every acknowledged link of a server that creates links', async () => {
  const work = await newFolder();
  const { child, client } = await serve(join(work, 'data'));
  const first = dataOf(
    await client.createLink({ body: { originalUrl: 'https://example.com/first' } }),
  );
  const load = createLinks(client, first.authToken);
  const known: string[][] = [];
  const env = { STORE_URL: `file:${join(work, 'data')}` };
  for (let backup = 0; backup < BACKUPS; backup++) {
    const { acknowledged } = load;
    await expect.poll(() => acknowledged.length).toBeGreaterThan(LINKS * (backup + 1));
    known.push([first.alias, ...acknowledged]);
    const made = await runCurt(['backup', join(work, `${backup}.tar.gz`), '--json'], { env });
    expect(made).toMatchObject({ exitCode: 0, stderr: '' });
    expect(jsonOf(made).data).toMatchObject({ sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
  }
  await load.stop();
  child.kill('SIGTERM');
  await once(child, 'exit');

  for (const [backup, aliases] of known.entries()) {
    const folder = join(work, `restored-${backup}`);
    const restored = await runCurt(['restore', join(work, `${backup}.tar.gz`), folder]);
    expect(restored).toMatchObject({ exitCode: 0, stderr: '' });
    const store = await openFolder(folder);
    expect(await linksOf(store, aliases)).toHaveLength(aliases.length);
    await store.close();
  }
});

test('curt backup lets the server know when the data was last saved', async () => {
  const work = await newFolder();
  const data = join(work, 'data');
  const store = await openFolder(data);
  onTestFinished(() => store.close());
  await store.secret();
  const backUp = (name: string) => runCurt(['backup', join(work, name), '--folder', data]);
  expect(await store.administration.lastBackup()).toBeUndefined();
  const start = Date.now();
  expect(await backUp('first.tar.gz')).toMatchObject({ exitCode: 0, stderr: '' });
  const time = (await store.administration.lastBackup()) ?? 0;
  expect(time).toBeGreaterThanOrEqual(start);
  expect((await checkFolder(data, start)).problems).toEqual([]);

  // As a user who may only read the folder.
  await mkdir(join(data, 'last-backup.tmp'));
  expect(await backUp('second.tar.gz')).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining('second.tar.gz'),
    stderr: expect.stringContaining('the server does not learn of it'),
  });
  expect(await store.administration.lastBackup()).toBe(time);
});

test('curt backup and restore have an exit code for each kind of error', async () => {
  const work = await newFolder();
  const [data, archive] = [join(work, 'data'), join(work, 'a.tar.gz')];
  const backup = ['backup', archive, '--folder', data, '--json'];
  const store = await openFolder(data);
  await store.close();
  expect((await runCurt(backup)).exitCode).toBe(0);
  const again = await runCurt(backup);
  expect(again.exitCode).toBe(2);
  expect(jsonOf(again)).toMatchObject({ success: false, code: 'already_exists' });
  const elsewhere = join(work, 'nowhere', 'a.tar.gz');
  const unwritable = await runCurt(['backup', elsewhere, '--folder', data, '--json']);
  expect(unwritable.exitCode).toBe(2);
  expect(jsonOf(unwritable)).toMatchObject({
    code: 'unwritable_file',
    message: `${elsewhere} cannot be written: ${join(work, 'nowhere')} does not exist. Create it first.`,
  });
  const full = await runCurt(['restore', archive, data, '--json']);
  expect(full.exitCode).toBe(2);
  expect(jsonOf(full)).toMatchObject({ code: 'already_exists' });
  await writeFile(archive, (await readFile(archive)).subarray(0, -1));
  const cut = await runCurt(['restore', archive, join(work, 'new'), '--json']);
  expect(cut.exitCode).toBe(6);
  expect(jsonOf(cut)).toMatchObject({ code: 'damaged_backup' });
  expect((await runCurt(['restore', join(work, 'no.tar.gz'), join(work, 'new')])).exitCode).toBe(2);
});

test('curt restore leaves nothing when it is interrupted', async () => {
  const work = await newFolder();
  const [archive, parent] = [join(work, 'archive'), join(work, 'parent')];
  await mkdir(parent);
  execFileSync('mkfifo', [archive]);
  const child = spawnCurt(['restore', archive, join(parent, 'data')]);
  // It waits for what comes after the first byte.
  const writer = await open(archive, 'w');
  await writer.write(Buffer.from([0x1f]));
  await expect
    .poll(() => readdir(parent, { recursive: true }))
    .toContainEqual(expect.stringMatching(/^data\/\.new\./));
  child.kill('SIGTERM');
  // While it reads what nobody writes.
  expect(await once(child, 'exit')).toEqual([null, 'SIGTERM']);
  await writer.close();
  expect(await readdir(parent)).toEqual([]);
});
