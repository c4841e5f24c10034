import { createHmac, hash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createClient } from '../../../shared/client.ts';
import { dataOf } from '../../support/data-of.ts';
import {
  BASE_URL,
  call,
  makeLink,
  sharedService,
  startService,
  type TestService,
} from '../support.ts';

const PROXY = '10.0.0.1';
const ENV = { IDENTITY_HEADER: 'X-Forwarded-User', TRUST_PROXY: PROXY };
/** What a browser sends from a page of the server. */
const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin', origin: BASE_URL };

type Sender = { headers?: Record<string, string | string[]>; remoteAddress?: string };

function asPerson(identity: string, headers: Record<string, string> = SAME_ORIGIN): Sender {
  const sent = { host: 's.example', ...headers, 'x-forwarded-user': identity };
  return { headers: sent, remoteAddress: PROXY };
}

const whoAmI = (service: TestService, sender: Sender) => call(service, 'GET /api/identity', sender);

const signIn = (service: TestService, sender: Sender, body: unknown = {}) =>
  call(service, 'POST /api/identity/token', { ...sender, body });

async function tokenOf(service: TestService, identity: string, name?: string): Promise<string> {
  const response = await signIn(service, asPerson(identity), { name });
  if (response.statusCode !== 200) throw new Error(response.body);
  return response.json().data.token;
}

describe('GET /api/identity', () => {
  const shared = sharedService({ env: ENV });

  test('answers who the proxy says you are, and whether you have an account', async () => {
    const service = await startService({ env: ENV });
    const before = await whoAmI(service, asPerson('ada@example.com'));
    expect(before.json().data).toEqual({
      identity: 'ada@example.com',
      hasAccount: false,
      isAdministrator: false,
    });
    await tokenOf(service, 'ada@example.com');
    const after = await whoAmI(service, asPerson('ada@example.com'));
    expect(after.json().data).toEqual({
      identity: 'ada@example.com',
      hasAccount: true,
      isAdministrator: false,
    });
    const other = await whoAmI(service, asPerson('grace@example.com'));
    expect(other.json().data).toEqual({
      identity: 'grace@example.com',
      hasAccount: false,
      isAdministrator: false,
    });
  });

  test.each<[string, Record<string, string>, Sender]>([
    ['without single sign-on', {}, asPerson('ada')],
    ['if the proxy does not say', ENV, { remoteAddress: PROXY }],
    ['if the header is empty', ENV, asPerson('')],
    ['if another address sends the header', ENV, { ...asPerson('ada'), remoteAddress: '10.0.0.2' }],
    [
      'if another address says that it is the proxy',
      ENV,
      {
        ...asPerson('ada', { ...SAME_ORIGIN, 'x-forwarded-for': PROXY }),
        remoteAddress: '10.0.0.2',
      },
    ],
    [
      'if the header is there twice, because the proxy let the client send it',
      ENV,
      { headers: { 'x-forwarded-user': ['mallory', 'ada'] }, remoteAddress: PROXY },
    ],
  ])('answers nobody %s', async (_, env, sender) => {
    const service = await startService({ env });
    const response = await whoAmI(service, sender);
    expect(response.statusCode).toBe(200);
    expect(response.json().data).toEqual({
      identity: null,
      hasAccount: false,
      isAdministrator: false,
    });
    const refused = await signIn(service, {
      ...sender,
      headers: { ...SAME_ORIGIN, ...sender.headers },
    });
    expect([refused.statusCode, refused.json().code]).toEqual([401, 'identity_required']);
    expect((await service.data.read()).accounts).toEqual([]);
  });

  test.each([
    '/api/%69dentity',
    '/api/identity/',
    '/api/identity/token/',
    '/api/identity/toke%6E',
    '//api/identity/token',
  ])('is nothing at %s, since a proxy may let that through', async (path) => {
    const service = shared();
    const read = await call(service, `GET ${path}`, asPerson('ada'));
    expect(read.body).not.toMatch(/\bada\b/);
    const refused = await call(service, `POST ${path}`, { ...asPerson('ada'), body: {} });
    expect([404, 405]).toContain(refused.statusCode);
    expect((await service.data.read()).accounts).toEqual([]);
  });

  test('reads names in UTF-8, and in Latin-1', async () => {
    const service = await startService({ env: ENV });
    const utf8 = Buffer.from('Zoë').toString('latin1');
    for (const name of [utf8, 'Zoë']) {
      const response = await whoAmI(service, asPerson(name));
      expect(response.json().data.identity).toBe('Zoë');
    }
  });
});

test('names that differ in any way are different people', async () => {
  const service = await startService({ env: ENV });
  await tokenOf(service, 'Zo\u00eb');
  const names = ['\ufeffZo\u00eb', '\u3000Zo\u00eb', 'Zo\u00eb\u00a0', 'Zoe\u0308', 'zo\u00eb'];
  for (const identity of names) {
    const header = Buffer.from(identity).toString('latin1');
    const response = await whoAmI(service, asPerson(header));
    expect(response.json().data, header).toEqual({
      identity,
      hasAccount: false,
      isAdministrator: false,
    });
  }
});

describe('POST /api/identity/token', () => {
  const shared = sharedService({ env: ENV });

  test('creates the account with the first token, also with ANONYMOUS=off', async () => {
    const service = await startService({ env: { ...ENV, ANONYMOUS: 'off' } });
    const response = await signIn(service, asPerson('ada@example.com'), { name: ' Laptop ' });
    expect(response.statusCode).toBe(200);
    const { token, ...info } = response.json().data;
    expect(info).toMatchObject({ name: 'Laptop', scope: 'all', isCurrent: false });
    const link = await makeLink(service, {}, { token });
    expect(link.authToken).toBe(token);

    const again = await tokenOf(service, 'ada@example.com');
    expect(again).not.toBe(token);
    const account = (await call(service, 'GET /api/account', { token: again })).json().data;
    expect(account).toMatchObject({ name: 'ada@example.com', links: 1 });
    expect(account.tokens).toMatchObject([{ name: 'Laptop' }, { name: 'Single sign-on' }]);

    const other = await tokenOf(service, 'Ada@example.com');
    expect((await call(service, 'GET /api/account', { token: other })).json().data.links).toBe(0);
  });

  test('creates one account for concurrent first calls, with a hash of the person', async () => {
    const service = await startService({ env: ENV });
    await Promise.all(Array.from({ length: 5 }, () => tokenOf(service, 'ada@example.com')));
    const { accounts } = await service.data.read();
    expect(accounts).toMatchObject([{ name: 'ada@example.com', identityHash: expect.any(String) }]);
    expect(accounts[0].identityHash).toMatch(/^[\w-]{43}$/);
  });

  test('replaces the token that was unused the longest if there are 10 of the same name', async () => {
    const service = await startService({ env: ENV });
    const extension = await tokenOf(service, 'ada', 'Extension');
    const tokens: string[] = [];
    for (let number = 1; number <= 10; number++) {
      await service.clock.advance(1000);
      tokens.push(await tokenOf(service, 'ada', 'Dashboard'));
    }
    const isValid = async (token = '') =>
      (await call(service, 'GET /api/account', { token })).statusCode === 200;
    await service.clock.advance(86_400_000);
    expect(await isValid(tokens[0])).toBe(true);
    const newest = await tokenOf(service, 'ada', 'Dashboard');
    for (const token of [newest, extension, tokens[0], ...tokens.slice(2)]) {
      expect(await isValid(token)).toBe(true);
    }
    expect(await isValid(tokens[1])).toBe(false);
  });

  test('works with 50 other tokens, and revokes none of them', async () => {
    const service = await startService({ env: ENV });
    const first = await tokenOf(service, 'ada', 'Setup');
    for (let number = 2; number <= 50; number++) {
      const body = { name: `CI ${number}`, scope: 'read' };
      await call(service, 'POST /api/account/tokens', { token: first, body });
    }
    const tokens: string[] = [];
    for (let number = 1; number <= 11; number++) {
      await service.clock.advance(1000);
      tokens.push(await tokenOf(service, 'ada', 'Dashboard'));
    }
    const token = tokens.at(-1);
    const { data } = (await call(service, 'GET /api/account/tokens', { token })).json();
    const namesOf = (isOwn: boolean) =>
      data.filter(({ name }: { name: string }) => (name === 'Dashboard') === isOwn);
    expect([namesOf(true).length, namesOf(false).length]).toEqual([10, 50]);
    expect((await call(service, 'GET /api/account', { token: tokens[0] })).statusCode).toBe(401);

    const other = await signIn(service, asPerson('ada'), { name: 'Phone' });
    expect([other.statusCode, other.json().code]).toEqual([409, 'too_many_tokens']);
    expect(other.json().message).toContain('none named "Phone"');
  });

  test.each([{ name: '' }, { name: 'x'.repeat(101) }, { scope: 'read' }])(
    '%j is a 400',
    async (body) => {
      const service = shared();
      const response = await signIn(service, asPerson('ada'), body);
      expect([response.statusCode, response.json().code]).toEqual([400, 'invalid_request']);
      expect((await service.data.read()).accounts).toEqual([]);
    },
  );
});

describe('requests that a browser sends for other pages', () => {
  const env = { ...ENV, CORS_ORIGINS: 'https://app.example' };
  const otherPages: Record<string, string>[] = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site', origin: 'https://evil.s.example' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: 'http://s.example' },
    { origin: 'https://app.example', 'sec-fetch-site': 'cross-site' },
    { origin: 'chrome-extension://abcdefghijklmnop', 'sec-fetch-site': 'none' },
    { origin: 'moz-extension://0000-1111' },
    { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' },
  ];

  test.each(otherPages)('%j are refused', async (headers) => {
    const service = await startService({ env });
    for (const response of [
      await whoAmI(service, asPerson('ada', headers)),
      await signIn(service, asPerson('ada', headers)),
    ]) {
      expect([response.statusCode, response.json().code]).toEqual([403, 'cross_site']);
      expect(response.body).not.toContain('ada');
    }
    expect((await service.data.read()).accounts).toEqual([]);
  });

  test('a token is created only for a request that says it is from a page of the server', async () => {
    const service = await startService({ env });
    const accepted: Record<string, string>[] = [
      { 'sec-fetch-site': 'same-origin' },
      { origin: BASE_URL },
      { 'sec-fetch-site': 'same-origin', origin: `${BASE_URL}:8443` },
    ];
    for (const headers of accepted) {
      expect((await signIn(service, asPerson('ada', headers))).statusCode).toBe(200);
    }
    for (const headers of [{}, { 'sec-fetch-site': 'none' }]) {
      expect((await whoAmI(service, asPerson('ada', headers))).statusCode).toBe(200);
      expect((await signIn(service, asPerson('ada', headers))).statusCode).toBe(403);
    }
  });

  test.each(['evil.example', 's.example.evil.example', '192.0.2.1', '[::1]', '[x', ''])(
    'are refused if their domain leads to this server: Host: %s',
    async (host) => {
      const service = await startService({ env });
      const sender = asPerson('ada', { 'sec-fetch-site': 'same-origin', host });
      for (const response of [await whoAmI(service, sender), await signIn(service, sender)]) {
        expect([response.statusCode, response.json().code]).toEqual([403, 'cross_site']);
        expect(response.body).not.toContain('ada');
      }
      expect((await service.data.read()).accounts).toEqual([]);
    },
  );

  test('are refused if a proxy that replaces the Host says that it was another one', async () => {
    const service = await startService({ env });
    const sender = asPerson('ada', { ...SAME_ORIGIN, 'x-forwarded-host': 'evil.example' });
    for (const response of [await whoAmI(service, sender), await signIn(service, sender)]) {
      expect([response.statusCode, response.json().code]).toEqual([403, 'cross_site']);
    }
  });

  test.each(['s.example:443', 's.example:8443', 'S.Example.'])(
    'a proxy can pass on the Host in another spelling, or with its port: %s',
    async (host) => {
      const service = await startService({ env });
      const sender = asPerson('ada', { ...SAME_ORIGIN, host });
      expect((await whoAmI(service, sender)).json().data.identity).toBe('ada');
      expect((await signIn(service, sender)).statusCode).toBe(200);
    },
  );

  test('only a POST creates anything', async () => {
    const service = await startService({ env });
    expect((await call(service, 'GET /api/identity/token', asPerson('ada'))).statusCode).toBe(405);
    expect((await call(service, 'POST /api/identity', asPerson('ada'))).statusCode).toBe(405);
    expect((await service.data.read()).accounts).toEqual([]);
  });
});

test('the client signs in with the cookies of its own origin', async () => {
  const service = await startService({ env: ENV });
  const credentials: (string | undefined)[] = [];
  const client = createClient({
    baseUrl: BASE_URL,
    fetch: async (input, init) => {
      credentials.push(init?.credentials);
      const response = await service.app.inject({
        method: init?.method as 'GET',
        url: new URL(String(input)).pathname,
        remoteAddress: PROXY,
        headers: {
          ...(init?.headers as Record<string, string>),
          ...asPerson('ada').headers,
        },
        ...(init?.body && { payload: String(init.body) }),
      });
      return new Response(response.body, {
        status: response.statusCode,
        headers: response.headers as Record<string, string>,
      });
    },
  });
  expect(await client.getIdentity()).toMatchObject({ ok: true, data: { identity: 'ada' } });
  const { token } = dataOf(await client.signIn({ body: { name: 'Dashboard' } }));
  expect(await client.getAccount({ token })).toMatchObject({ ok: true });
  expect(credentials).toEqual(['same-origin', 'same-origin', 'omit']);
});

describe('POST /api/identity/proof', () => {
  const shared = sharedService();
  const nonce = Buffer.alloc(32, 7).toString('base64url');
  const keyIdOf = (token: string) => hash('sha256', token, 'hex').slice(0, 16);
  const prove = (keyId: string) =>
    call(shared(), 'POST /api/identity/proof', { body: { keyId, nonce } });
  const proofOf = async (keyId: string) => (await prove(keyId)).json().data.proof;

  test('proves that the server has the account of a token, which is not sent', async () => {
    const { authToken: token } = await makeLink(shared(), { originalUrl: 'example.com' });
    const key = hash('sha256', token, 'buffer');
    const proof = createHmac('sha256', key).update(Buffer.alloc(32, 7)).digest('base64url');
    expect(await proofOf(keyIdOf(token))).toBe(proof);
  });

  test('answers a random proof for a token that it does not know, or no longer', async () => {
    const { authToken: token } = await makeLink(shared(), { originalUrl: 'example.com' });
    const keyId = keyIdOf(token);
    const begunAlike = `${keyId.slice(0, 15)}${keyId.endsWith('0') ? '1' : '0'}`;
    for (const unknown of [begunAlike, '0'.repeat(16)]) {
      const proof = await proofOf(unknown);
      expect(proof).toMatch(/^[\w-]{43}$/);
      expect(await proofOf(unknown)).not.toBe(proof);
    }
    const before = await proofOf(keyId);
    await call(shared(), 'DELETE /api/account', { token, body: { confirm: 'delete' } });
    expect(await proofOf(keyId)).not.toBe(before);
  });

  test.each([['0'.repeat(15)], ['G'.repeat(16)], [`${'0'.repeat(16)}\n`]])(
    'refuses the key ID %j',
    async (keyId) => {
      const response = await prove(keyId);
      expect(response.statusCode).toBe(400);
      expect(response.json().issues[0].path).toBe('keyId');
    },
  );
});
