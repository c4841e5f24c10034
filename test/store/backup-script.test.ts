import { execFileSync } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newLink } from './contract.ts';
import { newFolder, openFolder, openUntilTestEnds } from './support/folders.ts';

const GUIDE = new URL('../../docs/operating.md', import.meta.url);

/** Runs the script of docs/operating.md. @returns the path of the archive */
async function runBackup(folder: string, path = ''): Promise<string> {
  const guide = await readFile(GUIDE, 'utf8');
  const script = /```sh\n(#!\/bin\/sh\n# Writes a backup[\s\S]*?)```/.exec(guide)?.[1] ?? '';
  const backups = join(await newFolder(), 'backups');
  await mkdir(backups);
  const env = { ...process.env, PATH: `${path}:${process.env.PATH}` };
  execFileSync('sh', ['-c', script, 'backup.sh', folder, backups], { env, timeout: 30_000 });
  const [name = '', ...others] = await readdir(backups);
  expect(others).toEqual([]);
  return join(backups, name);
}

test('the backup script of the documentation makes an archive that opens', async () => {
  const folder = await newFolder();
  const store = await openUntilTestEnds(folder);
  await store.addLink(newLink('one'));
  const archive = await runBackup(folder);
  const restored = await newFolder();
  execFileSync('tar', ['--extract', '--file', archive, '--directory', restored]);
  const copy = await openFolder(restored);
  expect(await copy.findLink('one')).toEqual(await store.findLink('one'));
  await copy.close();
});

test.each(['journal-000001.jsonl', 'snapshot-000002.jsonl'])(
  'the backup script starts again if %s is deleted meanwhile',
  async (name) => {
    const [folder, tools] = [await newFolder(), await newFolder()];
    for (const file of ['journal-000001.jsonl', name]) await writeFile(join(folder, file), 'old');
    const tar = execFileSync('sh', ['-c', 'command -v tar'], { encoding: 'utf8' }).trim();
    // The first archive is made of the old file, before it is replaced.
    const fake = [
      '#!/bin/sh',
      `"${tar}" "$@" || exit $?`,
      `if [ -e "${folder}/${name}" ]; then`,
      `  echo new > "${folder}/snapshot-000003.jsonl"`,
      `  rm "${folder}/${name}"`,
      'fi',
    ];
    await writeFile(join(tools, 'tar'), fake.join('\n'));
    await chmod(join(tools, 'tar'), 0o755);
    const archive = await runBackup(folder, tools);
    const names = execFileSync(tar, ['--list', '--file', archive], { encoding: 'utf8' });
    expect(names).toContain('snapshot-000003.jsonl');
    expect(names).not.toContain(name);
  },
);
