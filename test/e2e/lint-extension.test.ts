import { execFile } from 'node:child_process';
import { appendFile, cp } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, inject, test } from 'vitest';
import { newFolder } from '../support/new-folder.ts';

const LINT = join(import.meta.dirname, '../../extension/packaging/lint.ts');

function lint(folder: string): Promise<{ stdout: string; stderr: string }> {
  return promisify(execFile)(process.execPath, [LINT, folder]);
}

test('the linter of addons.mozilla.org reports no problem in our code of the Firefox build', async () => {
  const { stderr } = await lint(inject('firefoxExtensionFolder'));
  expect(stderr).toBe('');
});

test('a problem in our own code fails the check, unlike known ones in libraries', async () => {
  const folder = await newFolder();
  await cp(inject('firefoxExtensionFolder'), folder, { recursive: true });
  await appendFile(join(folder, 'background.js'), '\ndocument.body.innerHTML = location.hash;\n');
  await expect(lint(folder)).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^background\.js:\d+ UNSAFE_VAR_ASSIGNMENT: .*\n$/),
  });
});
