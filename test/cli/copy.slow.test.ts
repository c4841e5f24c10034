import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { addLink, newLink } from '../store/contract.ts';
import { linksOf, openFolder } from '../store/support/folders.ts';
import { newFolder } from '../support/new-folder.ts';
import { jsonOf, runCurt } from './support/curt.ts';

test('curt copy copies a data folder, and says what the copy has', async () => {
  const work = await newFolder();
  const [from, to] = [join(work, 'data'), join(work, 'copy')];
  const store = await openFolder(from);
  await addLink(store, newLink('one'));
  await addLink(store, newLink('two'));
  await store.close();
  const copy = (...more: string[]) =>
    runCurt(['copy', '--from', `file:${from}`, '--to', `file:${to}`, ...more]);
  const outcome = await copy('--json');
  expect(outcome).toMatchObject({ exitCode: 0, stderr: '' });
  expect(jsonOf(outcome).data).toMatchObject({ links: 2, accounts: 0 });
  const opened = await openFolder(to);
  expect(await linksOf(opened, ['one', 'two'])).toHaveLength(2);
  await opened.close();
  const again = await copy();
  expect(again).toMatchObject({ exitCode: 1, stdout: '' });
  expect(again.stderr).toContain(`${to} is not empty. Choose a new folder.`);
});

test('curt copy names an option that is no store, without its password, and makes no folder', async () => {
  const cwd = await newFolder();
  for (const [from, to, option] of [
    ['postgress://me:secret@db/curt', 'file:copy', '--from'],
    ['file:data', './copy', '--to'],
  ] as const) {
    const outcome = await runCurt(['copy', '--from', from, '--to', to], { cwd });
    const stderr = `${option} must begin with file: or postgres://, such as file:./data.\n`;
    expect(outcome).toEqual({ exitCode: 2, stdout: '', stderr });
  }
  expect(await readdir(cwd)).toEqual([]);
});

test('curt copy needs both stores', async () => {
  const outcome = await runCurt(['copy', '--from', 'file:./data']);
  expect(outcome.exitCode).toBe(2);
  expect(outcome.stderr).toContain("required option '--to <url>' not specified");
});
