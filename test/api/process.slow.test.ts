import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, existsSync } from 'node:fs';
import { access, open, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createClient } from '../../shared/client.ts';
import { freePort, takenPort } from '../e2e/support/servers/free-port.ts';
import { readData } from '../store/support/read-data.ts';
import { dataOf } from '../support/data-of.ts';
import { newFolder } from '../support/new-folder.ts';

/** As with a server that starts again, Node.js skips most of the compilation. */
const { NODE_COMPILE_CACHE = '' } = process.env;
/** If the tests run in a container, their folders are not in a volume. */
const CONTAINER_WARNING = /^.* is in the writable layer of a container: .*\n/m;

/** Runs the server as `npm run server` does, with only these settings. */
function run(
  env: Record<string, string>,
  {
    openFiles = 'unlimited',
    stdout = 'pipe',
    args: own = [],
    script = 'server/main.ts',
  }: { openFiles?: string; stdout?: 'pipe' | number; args?: string[]; script?: string } = {},
): { child: ChildProcess; printed: () => string; output: Promise<string> } {
  const server = [process.execPath, script, ...own];
  const [command = '', ...args] =
    openFiles === 'unlimited'
      ? server
      : ['/bin/sh', '-c', `ulimit -n ${openFiles} && exec "$0" "$@"`, ...server];
  const child = spawn(command, args, {
    env: { NODE_COMPILE_CACHE, ...env },
    stdio: ['ignore', stdout, 'pipe'],
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  const text: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => text.push(chunk));
  }
  const printed = () => text.join('').replace(CONTAINER_WARNING, '');
  return { child, printed, output: once(child, 'close').then(printed) };
}

async function addressOf(
  child: ChildProcess,
  pattern = /listens on (http:\/\/\S+)\n/,
): Promise<string> {
  if (!child.stdout) throw new Error('the server has no output');
  let text = '';
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    text += chunk;
    const address = pattern.exec(text)?.[1];
    if (address) return address;
  }
  throw new Error(`the server ended without an address: ${text}`);
}

test('a kill loses at most a second of hits and visits, and counts none twice', async () => {
  const folder = await newFolder();
  const env = { PORT: '0', STORE_URL: `file:${folder}`, LOG_LEVEL: 'warn' };
  const first = run(env);
  const client = createClient({ baseUrl: await addressOf(first.child) });
  const link = dataOf(
    await client.createLink({ body: { originalUrl: 'https://example.com/target' } }),
  );
  const { alias, shortUrl, authToken } = link;
  const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0' };
  const visitTimes = async (times: number) => {
    for (let visit = 0; visit < times; visit++) {
      await fetch(shortUrl, { redirect: 'manual', headers });
    }
  };
  const peopleAt = async ({ getLinkStatistics }: ReturnType<typeof createClient>) => {
    const statistics = await getLinkStatistics({ token: authToken, alias });
    return statistics.ok ? statistics.data.totals.people : statistics.code;
  };
  await visitTimes(50);
  await expect.poll(() => peopleAt(client)).toBe(50);
  await visitTimes(30);
  first.child.kill('SIGKILL');
  await first.output;
  const second = run(env);
  const people = await peopleAt(createClient({ baseUrl: await addressOf(second.child) }));
  expect(people).toBeGreaterThanOrEqual(50);
  expect(people).toBeLessThanOrEqual(80);
});

describe('the server process', () => {
  test('prints its address, serves, and on SIGTERM completes pending requests and exits with 0', async () => {
    const folder = await newFolder();
    const { child, output } = run({ PORT: '0', STORE_URL: `file:${folder}`, LOG_LEVEL: 'warn' });
    const baseUrl = await addressOf(child);
    expect(baseUrl).toMatch(/^http:\/\/localhost:\d+$/);
    const client = createClient({ baseUrl });
    const first = dataOf(
      await client.createLink({ body: { originalUrl: 'https://example.com/target' } }),
    );
    // Short URLs contain the actual port.
    expect(first.shortUrl).toBe(`${baseUrl}/${first.alias}`);
    const visit = await fetch(first.shortUrl, {
      redirect: 'manual',
      headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0' },
    });
    expect(visit.headers.get('location')).toBe('https://example.com/target');

    // Pending when the signal arrives: hashing the password takes some milliseconds.
    const underWay = client.createLink({
      body: { originalUrl: 'https://example.com/slow', password: 'p', customAlias: 'under-way' },
      token: first.authToken,
    });
    // A response to a later request proves that the server has received this one.
    await client.getHealth();
    child.kill('SIGTERM');
    const last = await underWay;
    // Whether the dashboard has been built depends on what ran before.
    const lines = (await output)
      .split('\n')
      .filter((line) => !/^The dashboard (has|is)/.test(line));
    expect(lines).toEqual([
      `Curt listens on ${baseUrl}`,
      `Short links start with ${baseUrl}, which works only on this machine. For others, set BASE_URL.`,
      `The data is in ${folder}, which is new`,
      expect.stringMatching(/^There is no administrator\. .*ADMIN_TOKEN.*openssl rand -hex 32/),
      '',
    ]);
    expect(child.exitCode).toBe(0);
    expect(last.ok).toBe(true);
    const { links, hits } = await readData(folder);
    expect(links).toMatchObject([{ id: first.id }, { alias: 'under-way' }]);
    expect(hits).toEqual([[first.id, 1]]);
  });

  test('has written all lines of the log when it has stopped on SIGINT', async () => {
    const { child, output } = run({
      PORT: '0',
      STORE_URL: `file:${await newFolder()}`,
      LOG_REQUESTS: 'all',
    });
    const baseUrl = await addressOf(child);
    for (let request = 0; request < 3; request++) await fetch(`${baseUrl}/api/health`);
    child.kill('SIGINT');
    const answered = (await output).split('\n').filter((line) => line.includes('"answered"'));
    expect(answered.map((line) => JSON.parse(line))).toMatchObject(
      Array(3).fill({ level: 30, route: '/api/health', status: 200, msg: 'answered' }),
    );
    expect(child.exitCode).toBe(0);
  });

  test('appends the log to LOG_FILE, shows only its problems, and stops on SIGQUIT', async () => {
    const folder = await newFolder();
    const file = join(folder, 'new', 'curt.log');
    const { child, output } = run({
      PORT: '0',
      STORE_URL: `file:${folder}`,
      LOG_FILE: file,
      LOG_REQUESTS: 'all',
      // Without TRUST_PROXY, the server warns.
      BASE_URL: 'https://s.example',
    });
    await fetch(`${await addressOf(child, /listens on (http:\/\/\S+)\. /)}/api/health`);
    child.kill('SIGQUIT');
    const shown = await output;
    expect(child.exitCode).toBe(0);
    expect(shown).toContain(' Short links start with https://s.example (BASE_URL)\n');
    expect(shown).toContain(`\nThe log is in ${file}\n`);
    const messages = (text: string) =>
      [...text.matchAll(/^{"level":(\d+),.*"msg":"([\w.]+)/gm)].map(([, level, word]) => [
        level,
        word,
      ]);
    expect(messages(shown)).toEqual([['40', 'BASE_URL']]);
    expect(messages(await readFile(file, 'utf8'))).toEqual([
      ['40', 'BASE_URL'],
      ['30', 'memory'],
      ['30', 'answered'],
    ]);
  });

  test('has stored what Node.js compiled once it listens, for the next start after a kill', async () => {
    const cache = await newFolder();
    const env = { PORT: '0', STORE_URL: `file:${await newFolder()}`, NODE_COMPILE_CACHE: cache };
    const { child, output } = run(env);
    await addressOf(child);
    child.kill('SIGKILL');
    await output;
    expect((await readdir(cache, { recursive: true })).length).toBeGreaterThan(100);
  });

  test('on SIGHUP and SIGUSR1, goes on with a new log file, loses no line and opens no debugger', async () => {
    const folder = await newFolder();
    const file = join(folder, 'curt.log');
    const { child, output } = run({
      PORT: '0',
      STORE_URL: `file:${folder}`,
      LOG_FILE: file,
      LOG_REQUESTS: 'all',
    });
    const baseUrl = await addressOf(child);
    for (const [round, signal] of (['SIGHUP', 'SIGUSR1'] as const).entries()) {
      await fetch(`${baseUrl}/api/health`);
      await rename(file, `${file}.${round}`);
      // Still to the renamed file: nothing has told the server.
      await fetch(`${baseUrl}/api/health`);
      child.kill(signal);
      await expect.poll(() => existsSync(file)).toBe(true);
      const lines = (await readFile(`${file}.${round}`, 'utf8')).split('\n').slice(0, -1);
      const messages = lines.map((line) => JSON.parse(line).msg);
      expect(messages.filter((message) => message === 'answered')).toHaveLength(2);
    }
    await fetch(`${baseUrl}/api/health`);
    child.kill('SIGTERM');
    expect(await output).not.toMatch(/debugger/i);
    expect(child.exitCode).toBe(0);
    expect(await readFile(file, 'utf8')).toMatch(/^.*"answered".*\n$/);
  });

  test('stops before Docker kills it although a client sends half a request and another reads nothing', async () => {
    const { child } = run({ PORT: '0', STORE_URL: `file:${await newFolder()}`, LOG_LEVEL: 'warn' });
    const { port } = new URL(await addressOf(child));
    const socket = await openSocket(port, 'POST /api/shorten HTTP/1.1\r\nHost: x\r\n');
    const reader = connect(Number(port), '127.0.0.1').pause();
    reader.on('error', () => {});
    await once(reader, 'connect');
    for (let i = 0; i < 30; i++) reader.write('GET /api/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n');
    const started = performance.now();
    child.kill('SIGTERM');
    await once(child, 'exit');
    expect(performance.now() - started).toBeLessThan(10_000);
    expect(child.exitCode).toBe(0);
    for (const each of [socket, reader]) each.destroy();
  });

  test('goes on, and says so once, while its output and log are on a full disk, until SIGUSR2', async () => {
    const full = await open('/dev/full', 'w');
    onTestFinished(() => full.close());
    const port = String(await freePort());
    const { child, printed, output } = run(
      { PORT: port, STORE_URL: `file:${await newFolder()}`, LOG_REQUESTS: 'all' },
      { stdout: full.fd },
    );
    const { getHealth } = createClient({ baseUrl: `http://localhost:${port}` });
    await expect.poll(async () => (await getHealth()).ok).toBe(true);
    const isSaid = () => printed().match(/^The log cannot be written.* ENOSPC/gm);
    await expect.poll(isSaid).toHaveLength(1);
    expect(await getHealth()).toMatchObject({ ok: true });
    child.kill('SIGUSR2');
    await output;
    expect(isSaid()).toHaveLength(1);
    expect(child.exitCode).toBe(0);
  });

  test.each([
    ['standard output', false],
    ['a named pipe as LOG_FILE', true],
  ])('goes on, and stops, while nobody reads its log: %s', async (_to, isFile) => {
    const folder = await newFolder();
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const reader = await open(pipe, constants.O_RDWR | constants.O_NONBLOCK);
    onTestFinished(() => reader.close());
    const port = String(await freePort());
    const { child, output } = run(
      {
        ...{ PORT: port, STORE_URL: `file:${folder}`, LOG_REQUESTS: 'all' },
        ...(isFile && { LOG_FILE: pipe }),
      },
      { stdout: reader.fd },
    );
    const { getHealth } = createClient({ baseUrl: `http://localhost:${port}` });
    await expect.poll(async () => (await getHealth()).ok).toBe(true);
    // 120 bytes each; a pipe holds 64 KiB.
    for (let requests = 0; requests < 1200; requests += 30) {
      const all = await Promise.all(Array.from({ length: 30 }, () => getHealth()));
      expect(all.every(({ ok }) => ok)).toBe(true);
    }
    child.kill('SIGTERM');
    await output;
    expect(child.exitCode).toBe(0);
  });

  test('stops on a signal that arrives before its modules are there', async () => {
    const signalOnImport = `import { registerHooks } from 'node:module';
      registerHooks({ resolve(specifier, context, next) {
        if (specifier.endsWith('/main.ts')) process.kill(process.pid, 'SIGTERM');
        return next(specifier, context);
      } });`;
    const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(signalOnImport)}`;
    const env = { PORT: '0', STORE_URL: `file:${await newFolder()}`, NODE_OPTIONS };
    const { child, output } = run(env, { script: 'server/start.js' });
    expect(await output).not.toContain('Curt failed');
    expect(child.exitCode).toBe(0);
  });

  test('serves metrics on METRICS_PORT, and loads no library for them without it', async () => {
    const env = { PORT: '0', STORE_URL: `file:${await newFolder()}`, LOG_LEVEL: 'warn' };
    const listLoaded = `import { _cache } from 'node:module';
      process.on('exit', () => console.log(Object.keys(_cache).join(' ')));`;
    const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(listLoaded)}`;
    const without = run({ ...env, NODE_OPTIONS });
    await addressOf(without.child);
    without.child.kill('SIGTERM');
    expect(await without.output).not.toContain('prom-client');

    const { child, output } = run({ ...env, NODE_OPTIONS, METRICS_PORT: '0' });
    const url = await addressOf(child, /^Metrics are at (http:\S+)\n/m);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/metrics$/);
    expect(await (await fetch(url)).text()).toContain('curt_redirects_total 0');
    child.kill('SIGTERM');
    expect(await output).toContain('prom-client');
    expect(child.exitCode).toBe(0);
  });

  test('explains that the port of the metrics is in use, before it uses its own', async () => {
    const { child, output } = run({
      PORT: await takenPort(),
      STORE_URL: `file:${await newFolder()}`,
      METRICS_PORT: await takenPort(),
    });
    expect(await output).toMatch(
      /^The metrics cannot be served: .*EADDRINUSE.*\. Set METRICS_PORT and METRICS_HOST to .*\.\n$/,
    );
    expect(child.exitCode).toBe(1);
  });

  test('exits with a message for each invalid setting and creates no folder', async () => {
    const folder = join(await newFolder(), 'data');
    const { child, output } = run({
      PORT: 'abc',
      ANONYMOUS: 'yes',
      STORE_URL: `file:${folder}`,
    });
    expect(await output).toBe(
      'PORT must be a whole number from 0 to 65535, not "abc".\nANONYMOUS must be "on" or "off", not "yes".\n',
    );
    expect(child.exitCode).toBe(1);
    await expect(access(folder)).rejects.toThrow();
  });

  test('exits with a message if the data folder is a file', async () => {
    const file = join(await newFolder(), 'data');
    await writeFile(file, '');
    const { child, output } = run({ PORT: '0', STORE_URL: `file:${file}` });
    expect(await output).toContain(
      `${file} cannot be used: ${file} is not a folder. Set STORE_URL to another path.`,
    );
    expect(child.exitCode).toBe(1);
  });

  test('says that BASE_URL is to be set if other machines can reach it', async () => {
    const { child, output } = run({
      ...{ PORT: '0', HOST: '0.0.0.0' },
      STORE_URL: `file:${await newFolder()}`,
    });
    await once(child.stdout as Readable, 'data');
    child.kill('SIGTERM');
    expect(await output).toMatch(
      / http:\/\/localhost:\d+, which works only on this machine. Set BASE_URL to/,
    );
  });

  test('exits with a message if the port is in use', async () => {
    const port = await takenPort();
    const { child, output } = run({ PORT: port, STORE_URL: `file:${await newFolder()}` });
    expect(await output).toBe(
      `Port ${port} on 127.0.0.1 is already in use. Stop the program that uses it, or set PORT to another port.\n`,
    );
    expect(child.exitCode).toBe(1);
  });

  test('reports with --check, which `npm start` runs before it builds, why it could not start', async () => {
    const { child, output } = run({ PORT: await takenPort() }, { args: ['--check'] });
    expect(await output).toMatch(/^Port \d+ on 127\.0\.0\.1 is already in use\./);
    expect(child.exitCode).toBe(1);
  });

  test('--check says nothing if the server can start, and leaves no data', async () => {
    const folder = join(await newFolder(), 'data');
    const env = { PORT: '0', METRICS_PORT: '0', STORE_URL: `file:${folder}` };
    const { child, output } = run(env, { args: ['--check'] });
    expect(await output).toBe('');
    expect(child.exitCode).toBe(0);
    await expect(access(folder)).rejects.toThrow('ENOENT');
  });

  test('limits connections so that file descriptors remain for the store', async () => {
    const { child } = run(
      { PORT: '0', STORE_URL: `file:${await newFolder()}`, LOG_LEVEL: 'warn' },
      { openFiles: '150' },
    );
    const { port } = new URL(await addressOf(child));
    const gets: Socket[] = [];
    // More than the limit of open files.
    for (let i = 0; i < 200; i++) {
      gets.push(await openSocket(port, 'GET /assets/curt.css HTTP/1.1\r\nHost: x\r\n'));
    }
    const post = await openSocket(port, 'POST /api/shorten HTTP/1.1\r\nHost: x\r\n');
    await expect.poll(() => gets.filter(isOpen).length).toBeLessThan(100);

    const body = '{"originalUrl":"https://example.com/"}';
    post.write(`Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
    expect(await statusFrom(post)).toBe(200);
    // Some may have been closed by the server already, without this process knowing yet.
    const open = gets.filter(isOpen);
    for (const socket of open) socket.write('\r\n');
    const statuses = (await Promise.all(open.map(statusFrom))).filter(
      (status) => status !== undefined,
    );
    expect(statuses.length).toBeGreaterThan(10);
    expect(new Set(statuses)).toEqual(new Set([200]));
  });
});

/** A connection with an incomplete request. */
async function openSocket(port: string, text: string): Promise<Socket> {
  const socket = connect(Number(port), '127.0.0.1');
  socket.on('error', () => {});
  onTestFinished(() => {
    socket.destroy();
  });
  await Promise.race([once(socket, 'connect'), once(socket, 'close')]).catch(() => {});
  socket.write(text);
  socket.resume();
  return socket;
}

function isOpen(socket: Socket): boolean {
  return !socket.destroyed && socket.readable;
}

/** @returns undefined if the connection was closed without a response */
function statusFrom(socket: Socket): Promise<number | undefined> {
  return new Promise((resolve) => {
    socket.once('close', () => resolve(undefined));
    socket.once('data', (chunk) => resolve(Number(/^HTTP\/1\.1 (\d+) /.exec(String(chunk))?.[1])));
  });
}
