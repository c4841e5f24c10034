import { chmod, lstat, mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { removeTokens, saveTokens } from '../../server/cli/api/credentials.ts';
import { makeLink } from '../api/support.ts';
import { TOKEN } from '../fixtures/formats/content.ts';
import { RELEASED, readReleased } from '../fixtures/formats/released.ts';
import { newFolder } from '../support/new-folder.ts';
import { ADMIN_TOKEN, jsonOf, startWithCurt } from './support/curt.ts';

test('curt token stores a token that works in a file that only its owner can read', async () => {
  const { curt, home, server, ...service } = await startWithCurt({ ADMIN_TOKEN });
  const { authToken: token } = await makeLink(service);
  const config = join(home, 'config');
  const env = { XDG_CONFIG_HOME: config };
  const path = join(config, 'curt/credentials.json');

  const wrong = await curt(['token', server, '--json'], { env, input: 'curt_wrong\n' });
  expect(jsonOf(wrong)).toMatchObject({ code: 'invalid_token' });
  await expect(stat(path)).rejects.toThrow('ENOENT');
  expect(jsonOf(await curt(['token', '--json'], { env }))).toMatchObject({ code: 'usage' });

  const stored = await curt(['token', server], { env, input: `${token}\n` });
  expect(stored.stdout).toBe(`Stored in ${path}. Commands now use ${server}.\n`);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect((await stat(join(config, 'curt'))).mode & 0o777).toBe(0o700);
  const list = jsonOf(await curt(['list', '--json'], { env: { ...env, CURT_SERVER: '' } }));
  expect(list.data).toHaveLength(1);

  // Others can read it: the next change takes that back.
  await chmod(path, 0o644);
  const notAdmin = await curt(['token', '--admin', '--json'], { env, input: token });
  expect(jsonOf(notAdmin)).toMatchObject({ success: false, code: 'invalid_token' });
  const warned = await curt(['token', '--admin'], { env, input: ADMIN_TOKEN });
  expect(warned.stderr).toBe(`Others can read your tokens. Run: chmod 600 '${path}'\n`);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  const shown = await curt(['token', '--show'], { env });
  expect(shown.stdout).toBe(`${path}\n${server} (default): token, administrator’s token\n`);

  const removed = await curt(['token', '--remove', server], { env });
  expect(removed.stdout).toBe(`Removed what was stored for ${server}.\n`);
  expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({ version: 1, servers: {} });
});

test('a change of the tokens keeps what a newer version has stored', async () => {
  const path = join(await newFolder(), 'credentials.json');
  const [one, other] = ['https://s.example', 'https://t.example'];
  const newer = { version: 1, server: one, color: 'auto' };
  const servers = { [one]: { token: TOKEN, scope: 'read' }, [other]: { token: TOKEN, since: 5 } };
  await writeFile(path, JSON.stringify({ ...newer, servers }), { mode: 0o600 });
  await saveTokens(path, one, { adminToken: ADMIN_TOKEN }, { replace: true });
  await removeTokens(path, other);
  expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({
    ...newer,
    servers: { [one]: { token: TOKEN, scope: 'read', adminToken: ADMIN_TOKEN } },
  });
});

test('a file of tokens that is a symbolic link stays one, also before the file is there', async () => {
  const { curt, home, server, ...service } = await startWithCurt();
  const { authToken: token } = await makeLink(service);
  const path = join(home, '.config/curt/credentials.json');
  await mkdir(dirname(path), { recursive: true });
  await symlink('../../dotfiles.json', path);
  for (let times = 0; times < 2; times++) {
    expect((await curt(['token', server], { input: token })).exitCode).toBe(0);
    expect((await lstat(path)).isSymbolicLink()).toBe(true);
    expect(await readFile(join(home, 'dotfiles.json'), 'utf8')).toContain(token);
  }
});

test('without a home, commands work, and only tokens cannot be stored', async () => {
  const { curt, server, ...service } = await startWithCurt();
  const { authToken: token } = await makeLink(service, { customAlias: 'mine' });
  const env = { HOME: '/dev/null' };
  const list = await curt(['list', '--json'], { env: { ...env, CURT_TOKEN: token } });
  expect(jsonOf(list).data).toMatchObject([{ alias: 'mine' }]);
  const shortened = await curt(['shorten', 'example.com'], { env });
  expect(shortened).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('https://') });
  expect(shortened.stderr).toMatch(/could not be stored: .*ENOTDIR.* Keep it: curt_/);
  const stored = await curt(['token', server], { env, input: token });
  expect(stored.exitCode).toBe(1);
  expect(stored.stderr).toContain('Set XDG_CONFIG_HOME to another folder');
});

test('a stored token is sent to its server only, and CURT_TOKEN wins', async () => {
  const [one, other] = [await startWithCurt(), await startWithCurt()];
  await one.curt(['shorten', 'example.com', '--alias', 'mine']);
  const elsewhere = await one.curt(['list', '--server', other.server, '--json']);
  expect(jsonOf(elsewhere)).toMatchObject({ code: 'token_required' });
  const { authToken: token } = await makeLink(one, { customAlias: 'theirs' });
  const list = await one.curt(['list', '--json'], { env: { CURT_TOKEN: token } });
  expect(jsonOf(list).data).toMatchObject([{ alias: 'theirs' }]);
});

test.each(RELEASED)('tokens that curt %s has stored are used and changed', async (version) => {
  const { curt, home } = await startWithCurt();
  const path = join(home, '.config/curt/credentials.json');
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, await readReleased(version, 'credentials.json'), { mode: 0o600 });
  const env = { CURT_SERVER: '' };
  const shown = await curt(['token', '--show'], { env });
  expect(shown.stdout).toBe(
    `${path}\nhttps://s.example (default): token, administrator’s token\nhttps://t.example: token\n`,
  );
  await curt(['token', '--remove', 'https://t.example'], { env });
  const servers = { 'https://s.example': { token: TOKEN, adminToken: 'admin-token' } };
  const kept = JSON.parse(await readFile(path, 'utf8'));
  expect(kept).toEqual({ version: 1, server: 'https://s.example', servers });
});

test('tokens that a newer version has stored are refused, and stay', async () => {
  const { curt, home, server } = await startWithCurt();
  const path = join(home, '.config/curt/credentials.json');
  await mkdir(dirname(path), { recursive: true });
  const newer = JSON.stringify({ version: 2, servers: [{ url: server, token: TOKEN }] });
  await writeFile(path, newer, { mode: 0o600 });
  for (const args of [['list'], ['token', '--remove', server]]) {
    const outcome = await curt([...args, '--json'], { env: { CURT_SERVER: '' } });
    expect(jsonOf(outcome)).toMatchObject({ code: 'unreadable_credentials' });
  }
  expect(await readFile(path, 'utf8')).toBe(newer);
});
