import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { newFolder } from '../support/new-folder.ts';

const ROOT = join(import.meta.dirname, '../..');
/** What Linux prints for a program with a missing library, and its exit code. */
const MISSING_LIBRARY =
  '#!/bin/sh\necho "libatomic.so.1: cannot open shared object file" >&2\nexit 127\n';

const run = promisify(execFile);

/** A copy of the command, and of the Node.js beside it if there is any. */
async function copyCommand(ownNode?: string): Promise<string> {
  const folder = await newFolder();
  for (const path of ['package.json', 'server/can-run.js', 'server/cli/curt.js']) {
    await cp(join(ROOT, path), join(folder, path));
  }
  if (ownNode !== undefined) {
    const path = join(folder, 'node_modules/node/bin/node');
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, ownNode, { mode: 0o755 });
  }
  return join(folder, 'server/cli/curt.js');
}

describe.each([20, 22])('Node.js %i', (major) => {
  let node = '';
  beforeAll(async () => {
    const print = ['node', '--print', 'process.execPath'];
    const { stdout } = await run('npm', [
      'exec',
      '--yes',
      `--package=node@${major}`,
      '--',
      ...print,
    ]);
    node = stdout.trim();
  });
  const tooOld = () => ({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(
      RegExp(`^Curt needs Node\\.js 24 or newer, not ${major}\\.\\d+\\.\\d+\\.\n$`),
    ),
  });

  test('starts no server, and the message says which version it needs', async () => {
    const start = run(node, ['server/start.js'], { cwd: ROOT });
    await expect(start).rejects.toMatchObject(tooOld());
  });

  test('runs no command without a newer Node.js in node_modules', async () => {
    await expect(run(node, [await copyCommand()])).rejects.toMatchObject(tooOld());
  });

  test('names the Debian package that a newer Node.js in node_modules needs', async () => {
    await expect(run(node, [await copyCommand(MISSING_LIBRARY)])).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /libatomic\.so\.1: cannot open.*\n.*apt-get install libatomic1/,
      ),
    });
  });
});

test('npm ci names the Debian package that Node.js needs, if it does not start', async () => {
  const folder = await newFolder();
  await writeFile(join(folder, 'node'), MISSING_LIBRARY, { mode: 0o755 });
  const { scripts } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
  const env = { PATH: `${folder}:${process.env.PATH}` };
  await expect(run('sh', ['-c', scripts.postinstall], { env })).rejects.toMatchObject({
    code: 1,
    stdout: expect.stringContaining('apt-get install libatomic1'),
  });
});
