import { execFile } from 'node:child_process';
import { chown, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { newFolder } from '../support/new-folder.ts';
import { needRoot } from '../support/not-run.ts';

const CAN_RUN = join(import.meta.dirname, '../../server/can-run.js');
const OTHER_USER = 12_345;

async function filesCachedIn(project: string): Promise<string[]> {
  const code = `import { cacheCode } from ${JSON.stringify(CAN_RUN)}; cacheCode(process.argv[1]);`;
  const env = { PATH: process.env.PATH };
  await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code, project], {
    env,
  });
  return readdir(project);
}

test('root leaves no compiled code in the folder of another user', async () => {
  needRoot();
  const project = join(await newFolder(), 'curt');
  await mkdir(project);
  await chown(project, OTHER_USER, OTHER_USER);
  expect(await filesCachedIn(project)).toEqual([]);
  await chown(project, 0, 0);
  expect(await filesCachedIn(project)).toEqual(['node_modules']);
});
