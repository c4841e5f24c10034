import { chmod, chown, mkdir, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { backUp } from '../../server/store/tools/backup.ts';
import { NewFolder } from '../../server/store/tools/new-folder.ts';
import { restore } from '../../server/store/tools/restore.ts';
import { NOW } from '../store/contract.ts';
import { openFolder } from '../store/support/folders.ts';
import { newFolder } from '../support/new-folder.ts';
import { needRoot } from '../support/not-run.ts';

const OTHER_USER = 12_345;
const TIME = { now: NOW };

test('a restore by root does with a folder of another user only what that user may', async () => {
  needRoot();
  const folder = await newFolder();
  await (await openFolder(folder)).close();
  const work = await newFolder();
  await chmod(work, 0o755);
  const archive = join(work, 'a.tar.gz');
  await backUp(folder, archive, TIME);

  const target = join(work, 'data');
  await mkdir(target);
  await chown(target, OTHER_USER, OTHER_USER);
  const precious = join(work, 'precious');
  await writeFile(precious, '', { mode: 0o600 });
  await symlink(precious, join(target, 'lock'));
  await expect(restore(archive, target, TIME)).rejects.toThrow('unable to open');
  expect(await stat(precious)).toMatchObject({ uid: 0, size: 0 });
  expect(await readdir(target)).toEqual(['lock']);
  expect(process.geteuid?.()).toBe(0);
  await rm(join(target, 'lock'));
  expect(() => new NewFolder(target)).toThrow(`${target} belongs to user ${OTHER_USER}`);
  expect(await readdir(target)).toEqual([]);
});
