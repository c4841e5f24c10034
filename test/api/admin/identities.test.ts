import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { BASE_URL, call, startService, type TestService } from '../support.ts';
import { ADMIN_TOKEN } from './as-admin.ts';

const PROXY = '10.0.0.1';
const HOUR_MS = 3_600_000;
const ENV = {
  IDENTITY_HEADER: 'X-Forwarded-User',
  TRUST_PROXY: PROXY,
  ADMIN_IDENTITIES: 'ada@example.com, grace@example.com',
};

/** A request of a page of the server, as the proxy passes it on. */
const asPerson = (identity: string, headers: Record<string, string> = { origin: BASE_URL }) => ({
  headers: { host: 's.example', ...headers, 'x-forwarded-user': identity },
  remoteAddress: PROXY,
});

const begin = (service: TestService, sender: ReturnType<typeof asPerson>) =>
  call(service, 'POST /api/identity/admin', sender);

async function tokenOf(service: TestService, identity: string): Promise<string> {
  const response = await begin(service, asPerson(identity));
  if (response.statusCode !== 200) throw new Error(response.body);
  return response.json().data.token;
}

const listAccounts = (service: TestService, token: string) =>
  call(service, 'GET /api/admin/accounts', { token });

test('somebody in ADMIN_IDENTITIES administers without ADMIN_TOKEN, for 8 hours', async () => {
  const service = await startService({ env: ENV });
  const { data } = (await begin(service, asPerson('grace@example.com'))).json();
  expect(Date.parse(data.expiresAt)).toBe(service.clock.now() + 8 * HOUR_MS);
  await service.clock.advance(8 * HOUR_MS - 1);
  expect((await listAccounts(service, data.token)).statusCode).toBe(200);
  await service.clock.advance(1);
  const expired = await listAccounts(service, data.token);
  expect([expired.statusCode, expired.json().code]).toEqual([401, 'invalid_token']);
});

test('GET /api/identity answers who may administer', async () => {
  const service = await startService({ env: ENV });
  const mayAdminister = async (identity: string) =>
    (await call(service, 'GET /api/identity', asPerson(identity))).json().data.isAdministrator;
  expect(await mayAdminister('ada@example.com')).toBe(true);
  for (const other of ['Ada@example.com', 'mallory', 'ada']) {
    expect(await mayAdminister(other)).toBe(false);
  }
});

test('nobody else gets such a token', async () => {
  const service = await startService({ env: ENV });
  const other = await begin(service, asPerson('mallory@example.com'));
  expect([other.statusCode, other.json().code]).toEqual([403, 'not_administrator']);
  const unknown = await call(service, 'POST /api/identity/admin', {
    headers: { host: 's.example', origin: BASE_URL },
    remoteAddress: PROXY,
  });
  expect([unknown.statusCode, unknown.json().code]).toEqual([401, 'identity_required']);
  const elsewhere = await begin(
    service,
    asPerson('ada@example.com', { origin: 'https://e.example' }),
  );
  expect([elsewhere.statusCode, elsewhere.json().code]).toEqual([403, 'cross_site']);
});

test('the token of an account is none of an administrator', async () => {
  const service = await startService({ env: ENV });
  const signedIn = await call(service, 'POST /api/identity/token', {
    ...asPerson('ada@example.com'),
    body: {},
  });
  const response = await listAccounts(service, signedIn.json().data.token);
  expect([response.statusCode, response.json().code]).toEqual([401, 'invalid_token']);
});

test.each<[string, (token: string) => string]>([
  ['another signature', (token) => `${token.slice(0, -1)}${token.endsWith('A') ? 'E' : 'A'}`],
  ['another person', (token) => signWith('another key', token)],
  ['no signature', (token) => token.split('.')[0] ?? ''],
  ['a third part', (token) => `${token}.x`],
  ['no content', () => '.'],
])('a forged token is refused: %s', async (_, forge) => {
  const service = await startService({ env: ENV });
  const response = await listAccounts(service, forge(await tokenOf(service, 'ada@example.com')));
  expect([response.statusCode, response.json().code]).toEqual([401, 'invalid_token']);
});

function signWith(key: string, token: string): string {
  const [content = ''] = token.split('.');
  const signature = createHmac('sha256', key).update(JSON.stringify(['admin', content]));
  return `${content}.${signature.digest('base64url')}`;
}

describe('the audit log', () => {
  test('has who did it, if the proxy says so', async () => {
    const service = await startService({ env: { ...ENV, ADMIN_TOKEN } });
    const sessionToken = await tokenOf(service, 'ada@example.com');
    for (const token of [sessionToken, ADMIN_TOKEN]) {
      const body = { kind: 'host', value: 'evil.example', reason: 'Phishing' };
      await call(service, 'POST /api/admin/blocks', { token, body });
    }
    const { data } = (await call(service, 'GET /api/admin/audit', { token: ADMIN_TOKEN })).json();
    expect(data.map(({ by }: { by?: string }) => by)).toEqual([undefined, 'ada@example.com']);
  });
});
