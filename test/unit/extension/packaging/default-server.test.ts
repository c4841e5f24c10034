import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { chooseDefaultServer } from '../../../../extension/packaging/build-for-server.ts';
import packageJson from '../../../../package.json' with { type: 'json' };
import { newFolder } from '../../../support/new-folder.ts';

const SCRIPT = join(import.meta.dirname, '../../../../extension/packaging/build-for-server.ts');

test.each<[Record<string, string>, string | undefined]>([
  [{}, undefined],
  [{ BASE_URL: 'https://s.example.com' }, 'https://s.example.com'],
  [{ BASE_URL: 'HTTPS://S.Example.com:443/' }, 'https://s.example.com'],
  [{ BASE_URL: 'http://192.0.2.1:8080' }, 'http://192.0.2.1:8080'],
  [
    { BASE_URL: 'https://s.example.com', WXT_CURT_SERVER: 'https://other.example' },
    'https://other.example',
  ],
  [{ BASE_URL: 'https://s.example.com', WXT_CURT_SERVER: '' }, 'https://s.example.com'],
  // The server says what is wrong with these.
  [{ BASE_URL: 's.example.com' }, undefined],
  [{ BASE_URL: 'ftp://s.example.com' }, undefined],
  [{ BASE_URL: 'https://' }, undefined],
])('%j builds an extension for %s', (env, server) => {
  expect(chooseDefaultServer(env)).toBe(server);
});

test('npm start builds the extension for BASE_URL, and fails if the build fails', async () => {
  expect(packageJson.scripts.start).toMatch(
    /^node \S+ server\/start\.js --check && node \S+ extension\/packaging\/build-for-server\.ts && node \S+ server\/start\.js$/,
  );
  const folder = await newFolder();
  const start = async (build: string) => {
    await writeFile(join(folder, 'package.json'), JSON.stringify({ scripts: { build } }));
    // Without what npm sets for the scripts that it runs, such as a log level.
    const { PATH, HOME } = process.env;
    return promisify(execFile)(process.execPath, [SCRIPT], {
      cwd: folder,
      env: { PATH, HOME, BASE_URL: 'https://s.example.com' },
    });
  };
  const { stdout } = await start('node -p process.env.WXT_CURT_SERVER');
  expect(stdout).toMatch(/^Building .*\n\nChrome, Edge: .*\nFirefox: .*\n$/);
  expect(await readFile(join(folder, 'curt.log'), 'utf8')).toContain('https://s.example.com\n');
  await expect(start('echo the cause && exit 3')).rejects.toMatchObject({
    code: 3,
    stderr: expect.stringContaining('\nthe cause\n'),
  });
});
