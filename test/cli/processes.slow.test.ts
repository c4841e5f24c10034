import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer as createTcpServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { VERSION } from '../../server/lib/shipped-files.ts';
import { newFolder } from '../support/new-folder.ts';
import { jsonOf, listen, runProcess, spawnCurt, startWithCurt } from './support/curt.ts';

test('curt --version, --help and help exit with 0, and no command with 2', async () => {
  const [version, help, helpOf, none] = await Promise.all(
    [['--version'], ['--help'], ['help', 'shorten'], []].map((args) => runProcess(args)),
  );
  expect(version).toEqual({ exitCode: 0, stdout: `${VERSION}\n`, stderr: '' });
  expect(help).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('shorten') });
  expect(helpOf?.stdout).toContain('$ curt shorten');
  expect(none).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringContaining('Usage') });
});

test('curt serve starts the server and stops it on SIGTERM', async () => {
  const folder = await newFolder();
  const env = { PORT: '0', LOG_LEVEL: 'warn', STORE_URL: `file:${folder}/data` };
  const child = spawnCurt(['serve'], { env });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  const [line] = await once(child.stdout.setEncoding('utf8'), 'data');
  const [server = ''] = /http:\/\/localhost:\d+/.exec(line) ?? [];
  expect((await fetch(`${server}/api/health`)).status).toBe(200);
  child.kill('SIGTERM');
  const [code] = await once(child, 'exit');
  expect(code).toBe(0);
});

test('a command ends quietly when nobody reads its output', async () => {
  const child = spawnCurt(['completion', 'bash']);
  child.stdout.destroy();
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const [code] = await once(child, 'close');
  expect({ code, errors }).toEqual({ code: 0, errors: '' });
});

test('curt shorten --copy copies the short URL', async () => {
  const { home, env } = await startWithCurt();
  const bin = join(home, 'bin');
  await mkdir(bin);
  await writeFile(join(bin, 'wl-copy'), `#!/bin/sh\n/bin/cat > ${home}/copied\n`, { mode: 0o755 });
  const args = ['shorten', 'example.com', '--alias', 'launch', '--copy'];
  const outcome = await runProcess(args, { env: { ...env, PATH: bin } });
  expect(outcome).toMatchObject({ exitCode: 0, stdout: 'https://s.example/launch\n' });
  expect(outcome.stderr).toContain('Copied.');
  expect(await readFile(join(home, 'copied'), 'utf8')).toBe('https://s.example/launch');
  const none = await runProcess(['shorten', 'example.com', '--copy'], {
    env: { ...env, PATH: home },
  });
  expect([none.exitCode, none.stderr]).toEqual([0, expect.stringContaining('Not copied')]);
});

test('a link of a first command that runs in parallel with others keeps its token', async () => {
  const { curt, home, server, env } = await startWithCurt();
  const outcomes = await Promise.all(
    ['a', 'b', 'c'].map((alias) =>
      runProcess(['shorten', 'example.com', '--alias', alias], { env }),
    ),
  );
  const path = join(home, '.config/curt/credentials.json');
  const { token } = JSON.parse(await readFile(path, 'utf8')).servers[server];
  const shown = outcomes.flatMap(({ stderr }) => /Keep this one: (\S+)/.exec(stderr)?.[1] ?? []);
  const tokens = new Set([token, ...shown]);
  const aliases = await Promise.all(
    [...tokens].map(async (each) => {
      const list = await curt(['list', '--json'], { env: { CURT_TOKEN: each } });
      return jsonOf(list).data.map(({ alias }: { alias: string }) => alias);
    }),
  );
  expect(aliases.flat().sort()).toEqual(['a', 'b', 'c']);
});

/** A proxy that does one thing with each connection. */
async function startProxy(answer: (socket: Socket, sent: Buffer) => void) {
  const proxy = createTcpServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (sent: Buffer) => answer(socket, sent));
  });
  return listen(proxy);
}

test('requests go through HTTP_PROXY, HTTPS_PROXY or else ALL_PROXY, but not those to this machine', async () => {
  const asked: string[] = [];
  const proxy = await startProxy((socket, sent) => {
    asked.push(sent.toString('latin1').split('\r\n')[0] ?? '');
    socket.end('HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n');
  });
  const list = async (server: string, env: Record<string, string>) =>
    jsonOf(
      await runProcess(['list', '--json'], {
        env: { CURT_TOKEN: 'curt_x', CURT_SERVER: server, ...env },
      }),
    );
  const through = `Requests go through the proxy http://${proxy} (ALL_PROXY).`;
  const plain = await list('http://s.example', { ALL_PROXY: proxy });
  expect(plain).toMatchObject({ code: 'gateway_error', message: expect.stringContaining(through) });
  await list('https://s.example', { all_proxy: `http://${proxy}` });
  expect(asked).toEqual([
    'GET http://s.example/api/links HTTP/1.1',
    'CONNECT s.example:443 HTTP/1.1',
  ]);
  await list('http://s.example', {
    HTTP_PROXY: `http://${proxy}`,
    ALL_PROXY: 'http://127.0.0.1:1',
  });
  expect(asked).toHaveLength(3);
  const direct = { HTTP_PROXY: proxy, HTTPS_PROXY: '', ALL_PROXY: proxy };
  expect((await list('http://127.0.0.1:1', direct)).message).not.toContain('proxy');
  const unknown = await list('https://s.example', { ...direct, NO_PROXY: '*' });
  // With or without a DNS server that responds.
  expect(unknown.message).not.toContain('proxy');
  await list('https://sub.s.example', { ALL_PROXY: proxy, NO_PROXY: 's.example:443' });
  expect(asked).toHaveLength(3);
});

test.each([
  [
    '407 Proxy Authentication Required',
    'requires a username and a password. Set them in HTTPS_PROXY',
  ],
  ['403 Forbidden', 'refuses the connection, with status 403.'],
])('a proxy that answers %s is named, not the server', async (status, text) => {
  const proxy = await startProxy((socket) =>
    socket.end(`HTTP/1.1 ${status}\r\nContent-Length: 0\r\n\r\n`),
  );
  const { stderr, exitCode } = await runProcess(['list'], {
    env: {
      CURT_TOKEN: 'curt_x',
      CURT_SERVER: 'https://s.example',
      HTTPS_PROXY: `http://ann:secret@${proxy}`,
    },
  });
  expect(stderr).toContain(`The proxy http://${proxy} (HTTPS_PROXY) ${text}`);
  expect(stderr).not.toContain('secret');
  expect(exitCode).toBe(3);
});

test('a proxy that nobody listens at, and SOCKS, are explained', async () => {
  const list = async (proxy: string) => {
    const env = { CURT_TOKEN: 'curt_x', CURT_SERVER: 'https://s.example', HTTPS_PROXY: proxy };
    return (await runProcess(['list'], { env })).stderr;
  };
  expect(await list('http://127.0.0.1:1')).toContain(
    'The proxy http://127.0.0.1:1 (HTTPS_PROXY) does not respond. No program listens there.',
  );
  const names: string[] = [];
  const socks = await startProxy((socket, sent) => {
    // A greeting has three bytes, a request the name, which the proxy looks up.
    if (sent.length === 3) socket.write(Buffer.from([5, 0]));
    else {
      names.push(sent.subarray(5, -2).toString());
      socket.end(Buffer.from([5, 2, 0, 1, 0, 0, 0, 0, 0, 0]));
    }
  });
  for (const protocol of ['socks5', 'socks5h']) {
    const error = await list(`${protocol}://${socks}`);
    expect(error).toContain(`The proxy socks5://${socks} (HTTPS_PROXY) does not pass`);
    expect(error.trim()).not.toContain('\n');
  }
  expect(names).toEqual(['s.example', 's.example']);
});

test('a proxy that cannot be used stops only the commands that need it', async () => {
  const { env } = await startWithCurt();
  const wrong = { CURT_TOKEN: 'curt_x', ALL_PROXY: 'socks4://127.0.0.1:1080' };
  const far = await runProcess(['list'], { env: { ...wrong, CURT_SERVER: 'https://s.example' } });
  expect(far).toMatchObject({ exitCode: 2 });
  expect(far.stderr).toContain('ALL_PROXY is not the URL of a proxy');
  expect((await runProcess(['--version'], { env: wrong })).exitCode).toBe(0);
  expect((await runProcess(['list'], { env: { ...env, ...wrong } })).exitCode).toBe(4);
});

test('output that cannot be written is a failure that says why', async () => {
  const curt = join(import.meta.dirname, '../../server/cli/curt.js');
  const child = spawn('sh', ['-c', '"$0" "$1" --help > /dev/full', process.execPath, curt]);
  const closed = once(child, 'close');
  expect(await text(child.stderr)).toMatch(/^The output cannot be written: ENOSPC/);
  expect(await closed).toEqual([1, null]);
});
