import { createServer, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { explainNetwork } from '../../server/cli/api/connect.ts';
import { LIST_LIMIT_MAX } from '../../shared/bounds.ts';
import { ADMINISTRATOR } from '../store/contract.ts';
import { newFolder } from '../support/new-folder.ts';
import { ADMIN_TOKEN, jsonOf, listen, runCurt, startWithCurt } from './support/curt.ts';

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

/** A server with one answer to all requests. */
async function startAnswering(answer: (response: ServerResponse) => void) {
  return `http://${await listen(createServer((_, response) => answer(response)))}`;
}

test.each([
  [401, 3, 'asks for credentials of its own'],
  [403, 3, 'refuses this request'],
  [413, 1, 'client_max_body_size'],
  [429, 5, 'allows no more requests for now'],
])('the %i of a proxy in front of the server is explained', async (status, exitCode, text) => {
  const server = await startAnswering((response) => {
    response.writeHead(status, { 'content-type': 'text/html' }).end('<h1>nginx</h1>');
  });
  const env = { HOME: await newFolder(), CURT_SERVER: server, CURT_TOKEN: UNKNOWN, ADMIN_TOKEN };
  for (const args of [['list'], ['shorten', 'example.com'], ['audit']]) {
    const outcome = await runCurt(args, { env });
    expect(outcome).toMatchObject({ exitCode, stdout: '' });
    expect(outcome.stderr).toContain(`A proxy in front of ${server} `);
    expect(outcome.stderr).toContain(text);
  }
});

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
