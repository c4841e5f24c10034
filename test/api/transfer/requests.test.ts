import { once } from 'node:events';
import { type ClientRequest, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { IMPORT_BODY_MAX_BYTES } from '../../../shared/bounds.ts';
import { openConnection, readAll, statusesIn } from '../raw-http.ts';
import { call, sharedService, startService, type TestService } from '../support.ts';
import { fixture, newAccount, sendExport, sendImport, startWithAccount } from './support.ts';

/** 256 documents with one link each. */
const LARGEST_FILE =
  `${'[{"originalUrl":"https://example.com/"}]'.padEnd(IMPORT_BODY_MAX_BYTES / 256 - 1)}\n`.repeat(
    256,
  );
const CSV = 'alias,originalUrl\nü,https://example.com/\n';

test('a token needs the scope of what it does', async () => {
  const { service, token } = await startWithAccount();
  const tokenWith = async (scope: string) => {
    const body = { name: scope, scope };
    const response = await call(service, 'POST /api/account/tokens', { token, body });
    return response.json().data.token as string;
  };
  const [read, create] = [await tokenWith('read'), await tokenWith('create')];
  const codes = async (each: string) =>
    Promise.all(
      [
        sendExport(service, {}, each),
        sendExport(service, { secrets: 'true' }, each),
        sendImport(service, 'curt', '[]', { token: each }),
      ].map(async (sent) => {
        const response = await sent;
        return response.statusCode === 403 ? response.json().code : response.statusCode;
      }),
    );
  expect(await codes(token)).toEqual([200, 200, 200]);
  expect(await codes(read)).toEqual([200, 'insufficient_scope', 'insufficient_scope']);
  expect(await codes(create)).toEqual(Array(3).fill('insufficient_scope'));
});

const shared = sharedService();

test.each([
  [{ format: 'xml' }, 'format'],
  [{ secrets: 'yes' }, 'secrets'],
  [{ fromat: 'csv' }, 'fromat'],
])('an export with the query %j answers 400', async (query, path) => {
  const service = shared();
  const response = await sendExport(service, query, await newAccount(service));
  expect(response.statusCode).toBe(400);
  expect(response.json()).toMatchObject({ code: 'invalid_request', issues: [{ path }] });
});

test('an import from an unknown service answers 400', async () => {
  const service = await startService();
  const response = await sendImport(service, 'tiny', CSV, {
    type: 'text/csv',
    token: await newAccount(service),
  });
  expect(response.json()).toMatchObject({ code: 'invalid_request', issues: [{ path: 'from' }] });
});

test.each([
  ['application/x-www-form-urlencoded', {}],
  ['multipart/form-data; boundary=x', {}],
  ['text/csv; charset=iso-8859-1', {}],
  ['text/csv', { 'content-encoding': 'gzip' }],
])('an import of the type %s %j answers 415', async (type, headers) => {
  const service = shared();
  const token = await newAccount(service);
  const response = await sendImport(service, 'csv', CSV, { type, headers, token });
  expect([response.statusCode, response.json().code]).toEqual([415, 'unsupported_media_type']);
});

test.each([
  [{ mapping: '{' }, 'mapping', 'Must be JSON.'],
  [{ mapping: '[]' }, 'mapping', 'Must be an object of columns and their fields.'],
  [{ mapping: '{"alias":"nothing"}' }, 'mapping.alias', /^Is no field of a link/],
  [
    { mapping: '{"slug":"alias"}' },
    'mapping',
    'The file has no column slug. It has alias, originalUrl.',
  ],
  [{ dates: 'year' }, 'dates', 'Must be day or month.'],
  [{ encoding: 'latin1' }, 'encoding', /^Must be one of utf-8, /],
])('an import with the query %j answers 400', async (query, path, message) => {
  const service = shared();
  const token = await newAccount(service);
  const response = await sendImport(service, undefined, CSV, { token, type: 'text/csv', query });
  expect(response.json()).toMatchObject({
    code: 'invalid_request',
    issues: [
      { path, message: typeof message === 'string' ? message : expect.stringMatching(message) },
    ],
  });
});

test('an import of a file of an unknown service answers 400, and says what it can be', async () => {
  const { service, token } = await startWithAccount();
  const response = await sendImport(service, undefined, '{"urls":[]}', { token });
  expect(response.json()).toMatchObject({
    code: 'invalid_request',
    message: expect.stringMatching(/Kutt, .* originalUrl/),
  });
});

test.each([
  [
    'in an unknown encoding',
    Buffer.from([...Buffer.from(CSV), 0xcf, 0xf0, 0xe8]),
    'invalid_request',
  ],
  ['that is a workbook', 'PK\u0003\u0004', 'invalid_request'],
  ['without the required column', 'a,b\n1,2\n', 'invalid_request'],
  ['that ends within a cell', `${CSV}b,"https://`, 'invalid_request'],
  ['that ends within a link', '[{"originalUrl":"https://', 'invalid_json'],
  ['without a body', '', 'invalid_request'],
])('a file %s answers 400 and imports nothing', async (_name, file, code) => {
  const service = shared();
  const token = await newAccount(service);
  const response = await sendImport(service, 'curt', file, { token });
  expect([response.statusCode, response.json().code]).toEqual([400, code]);
  expect((await sendExport(service, {}, token)).json().links).toHaveLength(1);
});

test('HEAD of an export answers without a body', async () => {
  const { service, token } = await startWithAccount();
  const response = await call(service, 'HEAD /api/links/export', { token });
  expect([response.statusCode, response.body]).toEqual([200, '']);
});

test('an import counts as one request of the rate limit', async () => {
  const { service, token } = await startWithAccount({ env: { RATE_LIMIT_PER_MINUTE: '2' } });
  const file = await fixture('kutt/links.json');
  const send = () => sendImport(service, 'kutt', file, { token });
  const responses = [await send(), await send(), await send()];
  expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 200, 429]);
  expect(responses[0]?.headers['ratelimit-remaining']).toBe('1');
});

describe('over a real connection', () => {
  const shared = sharedService();

  async function open(service: TestService, headers: Record<string, string | number>) {
    if (!service.app.server.listening) await service.app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = service.app.server.address() as AddressInfo;
    const call = request({
      port,
      host: '127.0.0.1',
      method: 'POST',
      path: '/api/links/import?from=curt',
      headers: { 'content-type': 'application/json', ...headers },
    });
    call.on('error', () => {});
    return call;
  }

  test('16 MiB and one byte answer 413 before they are sent, if the length is known', async () => {
    const service = await startService();
    const authorization = `Bearer ${await newAccount(service)}`;
    const length = IMPORT_BODY_MAX_BYTES + 1;
    const call = await open(service, { authorization, 'content-length': length });
    call.flushHeaders();
    const [response] = await once(call, 'response');
    expect(response.statusCode).toBe(413);
    call.destroy();
  });

  test('16 MiB and one byte in chunks answer 413', async () => {
    const service = await startService();
    const authorization = `Bearer ${await newAccount(service)}`;
    const call = await open(service, { authorization });
    const answered = once(call, 'response');
    call.write(LARGEST_FILE);
    call.end(' ');
    const [response] = await answered;
    expect(response.statusCode).toBe(413);
    const chunks = await response.toArray();
    expect(JSON.parse(Buffer.concat(chunks).toString())).toMatchObject({ code: 'body_too_large' });
  });

  const far = 4 * 1024 * 1024;
  test.each([
    ['of an unknown service', 'a,b\n'.padEnd(far, '1,2\n')],
    ['with a row that is too large', '[{"originalUrl":"x","tags":['.padEnd(far, '1,')],
    ['with too many rows', 'originalUrl\n'.padEnd(far, '\n')],
  ])(
    'a client that sends a file %s completely, and then reads, gets the error',
    async (_, file) => {
      const service = shared();
      const token = await newAccount(service);
      const { client } = await openConnection(service.app);
      const requests = [
        'POST /api/links/import HTTP/1.1\r\nHost: x\r\nContent-Type: text/csv\r\n',
        `Authorization: Bearer ${token}\r\nContent-Length: ${far}\r\n\r\n${file}`,
        'GET /api/health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      ];
      await new Promise((resolve) => client.write(requests.join(''), resolve));
      expect(statusesIn(await readAll(client))).toEqual([expect.toBeOneOf([400, 413]), 200]);
    },
  );

  test('other requests are answered while the files of two accounts are read', async () => {
    const service = await startService();
    const health = `${await service.app.listen({ port: 0, host: '127.0.0.1' })}/api/health`;
    const file = `originalUrl\n${`${','.repeat(100_000)}\n`.repeat(50)}`;
    const tokens = [await newAccount(service), await newAccount(service)];
    let isReading = true;
    const imports = Promise.all(
      tokens.map((token) =>
        sendImport(service, 'csv', file, { token, type: 'text/csv', dryRun: true }),
      ),
    ).finally(() => {
      isReading = false;
    });
    let answered = 0;
    while (isReading) {
      expect((await fetch(health)).status).toBe(200);
      answered++;
    }
    expect((await imports).map(({ statusCode }) => statusCode)).toEqual([200, 200]);
    expect(answered).toBeGreaterThan(10);
  });

  test('files of all accounts take at most 48 MiB at a time', async () => {
    const { service, token } = await startWithAccount();
    const statusOf = async () => (await sendImport(service, 'curt', '[]', { token })).statusCode;
    expect(await statusOf()).toBe(200);
    const calls = new Set<ClientRequest>();
    const fill = async (authorization: string) => {
      const call = await open(service, { authorization });
      calls.add(call);
      // Refused if it arrives while the file of `statusOf` takes its place.
      call.once('response', () => {
        if (calls.delete(call)) void fill(authorization);
      });
      call.write(LARGEST_FILE);
    };
    for (let index = 0; index < 3; index++) await fill(`Bearer ${await newAccount(service)}`);
    const poll = { interval: 200 };
    await expect.poll(statusOf, poll).toBe(503);
    for (const call of calls) {
      calls.delete(call);
      call.destroy();
    }
    await expect.poll(statusOf, poll).toBe(200);
  });

  test('a file that ends with the connection imports nothing', async () => {
    const { service, token } = await startWithAccount();
    const call = await open(service, {
      authorization: `Bearer ${token}`,
      'content-length': 1000,
    });
    call.write('[{"alias":"cut","originalUrl":"https://example.com/"},');
    await new Promise((resolve) => call.write(' ', resolve));
    call.destroy();
    // The next import has to wait for the first one of the account to end.
    await expect
      .poll(async () => (await sendImport(service, 'curt', '[]', { token })).statusCode, {
        interval: 200,
      })
      .toBe(200);
    expect(await service.store.findLink('cut')).toBeUndefined();
  });
});
