import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { copyStore } from '../../server/store/tools/copy.ts';
import { fillFolder } from '../bench/folders.ts';
import { jsonOf, runCurt, spawnCurt } from '../cli/support/curt.ts';
import { NOW } from '../store/contract.ts';
import { newFolder } from '../support/new-folder.ts';
import { connectTo, newDatabase } from './support/databases.ts';

const LINKS = 20_000;
const SNAPSHOT = 'snapshot-000002.jsonl';

function filledFolder(): string {
  const folder = fillFolder(LINKS);
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

const copyArgs = (from: string, to: string) => ['copy', '--json', '--from', from, '--to', to];

/**
 * Starts a copy in a process, and kills that as soon as the condition is true.
 *
 * @returns whether it was still true then
 */
async function killCopy(
  from: string,
  to: string,
  isTime: () => boolean | Promise<boolean>,
): Promise<boolean> {
  const copy: ChildProcess = spawnCurt(copyArgs(from, to));
  const exited = once(copy, 'exit');
  while (copy.exitCode === null && !(await isTime())) await setTimeout(1);
  copy.kill('SIGSTOP');
  const wasTime = await isTime();
  copy.kill('SIGKILL');
  expect([
    [null, 'SIGKILL'],
    [0, null],
  ]).toContainEqual(await exited);
  return wasTime;
}

async function copy(from: string, to: string) {
  const outcome = await runCurt(copyArgs(from, to));
  expect(outcome).toMatchObject({ exitCode: 0, stderr: '' });
  return jsonOf(outcome).data;
}

test('a copy into a database starts again if its process was killed, and leaves nothing behind', async () => {
  const from = `file:${filledFolder()}`;
  const whole = `file:${join(await newFolder(), 'whole')}`;
  const expected = await copyStore(from, whole, { now: NOW });
  const killAtBoth = async () => {
    const database = await newDatabase();
    const client = await connectTo(database);
    const running = async (statement: string) => {
      const { rows } = await client.query(
        `SELECT FROM pg_stat_activity
         WHERE datname = current_database() AND pid <> pg_backend_pid() AND query LIKE $1`,
        [`%${statement}%`],
      );
      return rows.length > 0;
    };
    const countLinks = async () => {
      const { rows } = await client.query('SELECT count(*)::integer FROM links');
      return rows[0]?.count;
    };
    // While it is written, and while it is verified.
    for (const statement of ['INSERT INTO links', 'FROM page']) {
      // Too late: once more with another one.
      if (!(await killCopy(from, database, () => running(statement)))) return killAtBoth();
      // The database first carries out what it has received, which can be the COMMIT.
      await expect.poll(() => running('')).toBe(false);
      if ((await countLinks()) === expected.links) return killAtBoth();
      const { rows } = await client.query('SELECT FROM links UNION ALL SELECT FROM accounts');
      expect(rows).toEqual([]);
    }
    return { database, countLinks };
  };
  const { database, countLinks } = await killAtBoth();
  expect(await copy(from, database)).toEqual(expected);
  expect(await countLinks()).toBe(expected.links);
});

test('a copy into a folder starts again if its process was killed, and leaves nothing behind', async () => {
  const from = await newDatabase();
  const expected = await copyStore(`file:${filledFolder()}`, from, { now: NOW });
  const namesIn = (to: string) =>
    existsSync(to) ? readdirSync(to, { recursive: true }).map(String) : [];
  const killAtBoth = async () => {
    const to = join(await newFolder(), 'copy');
    const exists = (file: string) => namesIn(to).some((name) => name.endsWith(`/${file}`));
    // While it is written, and while it is verified.
    for (const file of [`${SNAPSHOT}.tmp`, SNAPSHOT]) {
      // Too late: once more with another one.
      if (!(await killCopy(from, `file:${to}`, () => exists(file)))) return killAtBoth();
      expect(namesIn(to)).not.toContain(SNAPSHOT);
    }
    return to;
  };
  const to = await killAtBoth();
  expect(await copy(from, `file:${to}`)).toEqual(expected);
  expect(namesIn(to).sort()).toEqual(['journal-000002.jsonl', 'lock', SNAPSHOT]);
});
