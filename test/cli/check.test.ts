import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newLink } from '../store/contract.ts';
import { openFolder } from '../store/support/folders.ts';
import { newFolder } from '../support/new-folder.ts';
import { jsonOf, runCurt } from './support/curt.ts';

const newerFile = '{"curt":"journal","version":2,"by":"1.7.0"}\n';

test('curt check says whether a folder is damaged, where, and how to repair it', async () => {
  const folder = join(await newFolder(), 'data');
  const store = await openFolder(folder);
  await store.secret();
  for (const alias of ['one', 'two', 'three']) await store.addLink(newLink(alias));
  await store.close();
  const healthy = await runCurt(['check', folder]);
  expect(healthy).toMatchObject({ exitCode: 0, stderr: '' });
  expect(healthy.stdout).toMatch(
    /links: 3, files: 3, .*\nEvery line is intact\.\nIts format is that of Curt \d+\.\d+\.\d+\.\n$/,
  );

  const journal = join(folder, 'journal-000001.jsonl');
  const text = await readFile(journal, 'utf8');
  await writeFile(journal, text.replace('"alias":"one"', '"alias":"own"'));
  const env = { STORE_URL: `file:${folder}` };
  const damaged = await runCurt(['check', '--json'], { env });
  expect(damaged).toMatchObject({ exitCode: 6, stderr: '' });
  const byte = text.indexOf('\n') + 1;
  expect(jsonOf(damaged)).toMatchObject({
    success: false,
    code: 'damaged',
    report: {
      isHealthy: false,
      problems: [{ kind: 'damaged_line', path: journal, line: 2, byte }],
    },
  });
  const explained = await runCurt(['check'], { env });
  expect(explained).toMatchObject({ exitCode: 6, stdout: '' });
  expect(explained.stderr).toContain(`damage (byte ${byte}): ${journal}, line 2, is damaged.`);
  expect(explained.stderr).toContain('Restore the whole folder from a backup');
  const copy = ['copy', '--from', `file:${folder}`, '--to', `file:${folder}-copy`, '--json'];
  const copied = await runCurt(copy);
  expect([copied.exitCode, jsonOf(copied).code]).toEqual([6, 'damaged']);

  await writeFile(journal, newerFile);
  const newer = await runCurt(['check', folder]);
  expect(newer).toMatchObject({ exitCode: 1, stdout: '' });
  expect(newer.stderr).toContain(
    `${journal} was written by Curt 1.7.0, in format 2. This is Curt `,
  );
  expect(jsonOf(await runCurt(['check', folder, '--json'])).code).toBe('newer_version');
});

test('curt check and curt backup say that a folder is missing or has no data, and which one they need', async () => {
  const work = await newFolder();
  const missing = join(work, 'nowhere');
  const file = join(work, 'file');
  await writeFile(file, '');
  const advice = 'Name the data folder of the server, or set STORE_URL as for the server.';
  const env = { STORE_URL: `file:${missing}` };
  for (const args of [['check'], ['backup', join(work, 'a.tar.gz')]]) {
    expect(await runCurt(args, { env })).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: `${missing} does not exist. ${advice}\n`,
    });
  }
  expect((await runCurt(['check', file])).stderr).toBe(`${file} is not a folder. ${advice}\n`);
  const empty = await runCurt(['check', work, '--json']);
  expect(jsonOf(empty)).toMatchObject({ success: false, code: 'no_data' });
});
