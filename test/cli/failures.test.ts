import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import {
  type AddressInfo,
  createServer as createTcpServer,
  type Server,
  type Socket,
} from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { explainNetwork } from '../../server/cli/api/connect.ts';
import { LIST_LIMIT_MAX } from '../../shared/limits.ts';
import { ADMINISTRATOR } from '../store/contract.ts';
import { newFolder } from '../support/new-folder.ts';
import { ADMIN_TOKEN, jsonOf, runCurt, runProcess, startWithCurt } from './support/curt.ts';

const UNKNOWN = `curt_${'A'.repeat(43)}`;

test('a token that the server does not accept is named by its place, with what to do', async () => {
  const { curt, server, home, store } = await startWithCurt({ ADMIN_TOKEN });
  const failureOf = async (args: string[], env: Record<string, string>, input = '') => {
    const outcome = await curt(args, { env, input });
    expect(outcome).toMatchObject({ exitCode: 4, stdout: '' });
    return outcome.stderr.trimEnd();
  };
  const rejected = `${server} does not accept the token`;
  const why = 'It was revoked, or is for another server.';
  expect(await failureOf(['list'], { CURT_TOKEN: UNKNOWN })).toBe(
    `${rejected} in CURT_TOKEN. ${why} Change CURT_TOKEN, or unset it and run \`curt token ${server}\`.`,
  );
  expect(await failureOf(['token'], {}, UNKNOWN)).toBe(
    `${rejected} that you entered. ${why} Run \`curt token ${server}\` and enter another one.`,
  );
  expect(await failureOf(['audit'], { ADMIN_TOKEN: 'wrong' })).toBe(
    `${rejected} in ADMIN_TOKEN. It must be the server's ADMIN_TOKEN. Change ADMIN_TOKEN, or unset it and run \`curt token ${server} --admin\`.`,
  );
  expect((await curt(['shorten', 'example.com', '--alias', 'mine'])).exitCode).toBe(0);
  const link = await store.findLink('mine');
  const [token] = await store.listTokens(String(link?.accountId));
  if (token) await store.revokeToken({ ...token, by: ADMINISTRATOR, evenIfLast: true });
  const path = join(home, '.config/curt/credentials.json');
  expect(await failureOf(['list'], {})).toBe(
    `${rejected} in ${path}. ${why} Run \`curt token ${server}\` and enter another one.`,
  );
});

test('a token with a line break is reported as such, only by commands that send it', async () => {
  const { curt } = await startWithCurt({ ADMIN_TOKEN });
  const text = 'has a space, a line break or another character that no token has';
  for (const [args, name] of [
    [['list'], 'CURT_TOKEN'],
    [['shorten', 'example.com'], 'CURT_TOKEN'],
    [['audit'], 'ADMIN_TOKEN'],
  ] as const) {
    const outcome = await curt([...args], { env: { [name]: `${UNKNOWN}\nx` } });
    expect(outcome).toMatchObject({ exitCode: 4, stdout: '' });
    expect(outcome.stderr).toContain(`The token in ${name} ${text}`);
  }
  // Blanks around it are left out.
  const env = { CURT_TOKEN: 'a\nb', ADMIN_TOKEN: ` ${ADMIN_TOKEN}\n` };
  expect((await curt(['audit'], { env })).exitCode).toBe(0);
});

test('a server without administrator, or without accounts for everybody, is reported as such', async () => {
  const { curt, server } = await startWithCurt({ ANONYMOUS: 'off' });
  for (const args of [['audit'], ['account', 'suspend', 'x', '--reason', 'y']]) {
    const outcome = await curt(args, { env: { ADMIN_TOKEN } });
    expect(outcome).toMatchObject({
      exitCode: 1,
      stderr: `${server} has no administrator. Set ADMIN_TOKEN for the server, and restart it.\n`,
    });
  }
  expect(await curt(['shorten', 'example.com'])).toMatchObject({
    exitCode: 4,
    stderr: `${server} requires an account. Run \`curt token ${server}\`, or set CURT_TOKEN.\n`,
  });
});

test('an unknown account of a server with administrator stays one', async () => {
  const { curt } = await startWithCurt({ ADMIN_TOKEN });
  const args = ['account', 'suspend', 'x', '--reason', 'y', '--json'];
  expect(jsonOf(await curt(args, { env: { ADMIN_TOKEN } }))).toMatchObject({
    code: 'not_found',
    message: 'There is no account with the ID "x".',
  });
});

test('a server that cannot be reached is reported with the cause', async () => {
  const { curt, server } = await startWithCurt();
  const env = { CURT_TOKEN: UNKNOWN };
  const failureOf = async (address: string) => {
    const outcome = await curt(['list', '--server', address, '--json'], { env });
    expect(outcome.exitCode).toBe(3);
    return jsonOf(outcome).message;
  };
  // A port that no program uses, and that `fetch` allows.
  expect(await failureOf('http://127.0.0.1:2')).toBe(
    'http://127.0.0.1:2 cannot be reached. No program listens there. Check the port, and whether the program is running (ECONNREFUSED).',
  );
  const tls = server.replace('http:', 'https:');
  expect(await failureOf(tls)).toMatch(/does not answer in TLS \(ERR_SSL_\w+\)/);
});

test.each([
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate'],
  ['CERT_HAS_EXPIRED', 'certificate has expired'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'unable to verify the first certificate'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', "Host: a.example. is not in the cert's altnames"],
])('%s is a fault of the certificate', (code, message) => {
  const cause = Object.assign(new Error(message), { code });
  const text = explainNetwork(new TypeError('fetch failed', { cause }));
  expect(text).toContain(`Its certificate is not valid: ${message} (${code}).`);
  expect(text).toContain('NODE_EXTRA_CA_CERTS');
});

test('an unknown host and whatever else the system reports are explained', () => {
  const explain = (code: string, message: string) =>
    explainNetwork(
      new TypeError('fetch failed', { cause: Object.assign(new Error(message), { code }) }),
    );
  expect(explain('ENOTFOUND', 'getaddrinfo ENOTFOUND s.example')).toBe(
    'This name is unknown. Check how it is spelled, and the DNS server of this machine (ENOTFOUND).',
  );
  expect(explain('EMFILE', 'too many open files')).toBe('too many open files (EMFILE).');
});

test('names of others cannot control the terminal, and are the same in JSON', async () => {
  const { curt } = await startWithCurt({ ADMIN_TOKEN });
  const env = { ADMIN_TOKEN };
  const { data } = jsonOf(await curt(['account', 'create', 'Ann', '--json'], { env }));
  const name = 'a\u202Eb';
  const rename = (...more: string[]) =>
    curt(['account', 'rename', data.id, name, ...more], { env });
  expect((await rename()).stdout).toBe(`${data.id} is called a b.\n`);
  const json = await rename('--json');
  expect(json.stdout).toContain('"a\\u202eb"');
  expect(jsonOf(json).data.name).toBe(name);
});

/** Listens until the test ends. @returns its address */
async function listen(server: Server): Promise<string> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A server with one answer to all requests. */
async function startAnswering(answer: (response: ServerResponse) => void) {
  return `http://${await listen(createServer((_, response) => answer(response)))}`;
}

test('texts of a server cannot forge lines or control the terminal', async () => {
  const failure = {
    success: false,
    code: 'alias_taken',
    message: 'Taken.\r\nStored in /root.\u001b[2J',
    issues: [{ path: 'a\nb', message: 'c\u0085d\ne' }],
    suggestions: ['x\ny'],
  };
  const server = await startAnswering((response) => {
    response.writeHead(409, { 'content-type': 'application/json' }).end(JSON.stringify(failure));
  });
  const args = ['shorten', 'example.com', '--server', server];
  const env = { HOME: await newFolder() };
  const outcome = await runCurt(args, { env });
  expect(outcome).toEqual({
    exitCode: 1,
    stdout: '',
    stderr: 'Taken.  Stored in /root. [2J\n  a b: c d e\n',
  });
  const { message, issues } = jsonOf(await runCurt([...args, '--json'], { env }));
  expect({ message, issues }).toEqual({ message: failure.message, issues: failure.issues });
});

test('a file of a server cannot control the terminal, and is exact in a pipe', async () => {
  // The emoji is in two chunks.
  const file = Buffer.from('"a\u001b]0;title\u0007\u009b2J"\r\n"\u202eb 😀"\n');
  const server = await startAnswering((response) => {
    response.writeHead(200, { 'content-type': 'text/csv' });
    response.write(file.subarray(0, -4));
    setImmediate(() => response.end(file.subarray(-4)));
  });
  const env = { HOME: await newFolder(), CURT_TOKEN: UNKNOWN, CURT_SERVER: server };
  const args = ['export', '-', '--format', 'csv'];
  expect(await runCurt(args, { env })).toMatchObject({ exitCode: 0, stdout: String(file) });
  const { stdout } = await runCurt(args, { env, isTerminal: true });
  expect(stdout).toBe('"a ]0;title  2J" \n" b 😀"\n');
});

test('a terminal shows a list of more links than a call can have arguments', async () => {
  const { curt } = await startWithCurt();
  await curt(['shorten', 'example.com', '--alias', 'launch']);
  const [link] = jsonOf(await curt(['list', '--json'])).data;
  const data = Array(LIST_LIMIT_MAX).fill({ ...link, visits30: Array(30).fill(1) });
  let left = 130;
  const server = await startAnswering((response) => {
    const nextCursor = --left > 0 ? String(left) : null;
    const body = JSON.stringify({ success: true, message: '', data, nextCursor });
    response.writeHead(200, { 'content-type': 'application/json' }).end(body);
  });
  const env = { CURT_SERVER: server, CURT_TOKEN: UNKNOWN };
  const { exitCode, stdout } = await curt(['list', '--all'], { env, isTerminal: true });
  expect([exitCode, stdout.split('\n').length]).toEqual([0, 13_000 + 2]);
});

test('a message that has the issue in it is printed once', async () => {
  const { curt } = await startWithCurt();
  const { stderr } = await curt(['shorten', 'javascript:alert(1)']);
  expect(stderr).toBe(
    'originalUrl: Only http:// and https:// URLs can be shortened, not "javascript:".\n',
  );
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
