import { execFile } from 'node:child_process';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { startService } from '../api/support.ts';
import { newFolder } from '../support/new-folder.ts';
import { needCommand } from '../support/not-run.ts';
import { readRecipe } from './support/recipe.ts';

const run = promisify(execFile);
const URL_WITH_QUOTES = 'https://example.com/?q="a"&b=\\c%20$HOME';

let path = '';

beforeAll(async () => {
  const commands = [await needCommand('bash'), await needCommand('curl'), await needCommand('jq')];
  path = [...new Set(commands.map(dirname)), '/usr/bin', '/bin'].join(':');
});

/** The recipe with a server and a token, and the links of the server. */
async function startWith(heading: string) {
  const service = await startService();
  const address = await service.app.listen({ port: 0 });
  const made = await fetch(`${address}/api/shorten`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ originalUrl: 'https://example.com/first' }),
  });
  const token = (await made.json()).data.authToken;
  const recipe = await readRecipe(heading, { server: address, token });
  const targetOf = async (alias: string) => (await service.store.findLink(alias))?.originalUrl;
  return { recipe, targetOf };
}

test('the shell function prints the short URL, or the error with exit code 1', async () => {
  const { recipe, targetOf } = await startWith('Shell');
  const shorten = (...args: string[]) =>
    run('bash', ['--norc', '-c', `${recipe}\nshorten "$@"`, 'bash', ...args], {
      env: { PATH: path },
    });
  expect(await shorten(URL_WITH_QUOTES, 'launch')).toEqual({
    stdout: 'https://s.example/launch\n',
    stderr: '',
  });
  expect(await targetOf('launch')).toBe(URL_WITH_QUOTES);
  expect((await shorten('example.com')).stdout).toMatch(/^https:\/\/s\.example\/[a-z0-9]{7}\n$/);
  await expect(shorten('javascript:alert(1)')).rejects.toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('not "javascript:"'),
  });
});

test('the script for Raycast shortens the URL in the clipboard', async () => {
  const { recipe, targetOf } = await startWith('Raycast');
  const folder = await newFolder();
  const clipboard = join(folder, 'clipboard');
  const script = join(folder, 'shorten.sh');
  for (const [name, text] of [
    ['shorten.sh', recipe],
    ['pbpaste', `#!/bin/bash\nexec cat ${clipboard}\n`],
    ['pbcopy', `#!/bin/bash\nexec cat >${clipboard}\n`],
  ] as const) {
    await writeFile(join(folder, name), text);
    await chmod(join(folder, name), 0o755);
  }
  const start = () => run(script, { env: { PATH: `${folder}:${path}` } });
  await writeFile(clipboard, URL_WITH_QUOTES);
  const { stdout } = await start();
  const short = await readFile(clipboard, 'utf8');
  expect(stdout).toBe(`Copied ${short}\n`);
  expect(await targetOf(short.replace('https://s.example/', ''))).toBe(URL_WITH_QUOTES);
  await writeFile(clipboard, 'no URL');
  await expect(start()).rejects.toMatchObject({ code: 1, stdout: expect.stringMatching(/.+/) });
  expect(await readFile(clipboard, 'utf8')).toBe('no URL');
});

test('the file for ShareX sends what the server takes, and names what it answers', async () => {
  const { recipe, targetOf } = await startWith('ShareX');
  const uploader = JSON.parse(recipe);
  expect(uploader).toMatchObject({ DestinationType: 'URLShortener', Body: 'JSON' });
  const send = async (input: string) => {
    const response = await fetch(uploader.RequestURL, {
      method: uploader.RequestMethod,
      headers: { ...uploader.Headers, 'content-type': 'application/json' },
      // ShareX escapes what it puts into JSON.
      body: uploader.Data.replace('{input}', () => JSON.stringify(input).slice(1, -1)),
    });
    return response.json();
  };
  const read = (answer: Record<string, unknown>, syntax: string) =>
    (/^\{json:(.+)\}$/.exec(syntax)?.[1] ?? '')
      .split('.')
      .reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], answer);
  const short = String(read(await send(URL_WITH_QUOTES), uploader.URL));
  expect(await targetOf(short.replace('https://s.example/', ''))).toBe(URL_WITH_QUOTES);
  expect(read(await send('no URL'), uploader.ErrorMessage)).toMatch(/web address|valid URL/);
});
