import { expect, test } from 'vitest';
import { hashToken } from '../../../server/accounts/tokens.ts';
import type { Store } from '../../../server/store/store.ts';
import { ADMINISTRATOR } from '../../store/contract.ts';
import { openConnection, readAll } from '../raw-http.ts';
import { BASE_URL, call, makeLink, START, startService, type TestService } from '../support.ts';

type Late = { request: string; body: string; type?: string };

const JSON_TYPE = 'application/json';
const LATE: Late[] = [
  { request: 'POST /api/account/tokens', body: '{"name":"Late","scope":"all"}' },
  { request: 'DELETE /api/account', body: '{"confirm":"delete"}' },
  { request: 'PATCH /api/links/kept', body: '{"originalUrl":"https://example.com/late"}' },
  { request: 'DELETE /api/links/kept', body: '{}' },
  { request: 'POST /api/shorten', body: '{"originalUrl":"https://example.com/late"}' },
  {
    request: 'POST /api/links/import?from=csv',
    body: 'originalUrl,alias\nhttps://example.com/late,late\n',
    type: 'text/csv',
  },
  {
    request: 'POST /api/links/import?from=csv&dryRun=true',
    body: 'originalUrl,alias\nhttps://example.com/late,kept\n',
    type: 'text/csv',
  },
  {
    request: 'POST /api/links/batch',
    body: '[{"originalUrl":"https://example.com/late"},{"originalUrl":"https://example.com/too"}]',
  },
];

test.each(LATE)(
  '$request does nothing if its token is revoked before the body arrives',
  async (late) => {
    const { service, accountId, token, tokenId } = await accountWithTokens();
    const before = await stateOf(service.store, accountId);
    const finish = await sendHeaders(service, late, token, accountId);
    const revoked = await service.store.revokeToken({
      accountId,
      id: tokenId,
      by: ADMINISTRATOR,
      evenIfLast: false,
    });
    expect(revoked).toBe('revoked');
    expect(await finish()).toMatchObject({ status: 401, code: 'invalid_token' });
    const { tokens, ...rest } = before;
    expect(await stateOf(service.store, accountId)).toEqual({
      ...rest,
      tokens: tokens.filter((id) => id !== tokenId),
    });
  },
);

test.each(LATE)(
  '$request does nothing if its account is suspended before the body arrives',
  async (late) => {
    const { service, accountId, token } = await accountWithTokens();
    const before = await stateOf(service.store, accountId);
    const finish = await sendHeaders(service, late, token, accountId);
    const suspended = { reason: 'Abuse', since: START };
    await service.store.administration.editAccount(accountId, { suspended });
    expect(await finish()).toMatchObject({ status: 403, code: 'account_suspended' });
    expect(await stateOf(service.store, accountId)).toEqual(before);
  },
);

test('a person whose account is suspended cannot delete it to come back with a new one', async () => {
  const proxy = '10.0.0.1';
  const service = await startService({
    env: { IDENTITY_HEADER: 'X-Forwarded-User', TRUST_PROXY: proxy },
  });
  const signIn = () =>
    call(service, 'POST /api/identity/token', {
      headers: { host: 's.example', origin: BASE_URL, 'x-forwarded-user': 'ada' },
      remoteAddress: proxy,
      body: {},
    });
  const { token } = (await signIn()).json().data as { token: string };
  const accountId = (await service.store.findToken(hashToken(token)))?.account.id ?? '';
  const deletion = { request: 'DELETE /api/account', body: '{"confirm":"delete"}' };
  const finish = await sendHeaders(service, deletion, token, accountId);
  const suspended = { reason: 'Abuse', since: START };
  await service.store.administration.editAccount(accountId, { suspended });
  expect(await finish()).toMatchObject({ status: 403, code: 'account_suspended' });
  expect((await signIn()).json()).toMatchObject({ code: 'account_suspended' });
});

/** An account with a link and, besides its first token, one that nobody has used. */
async function accountWithTokens() {
  const service = await startService();
  const { authToken } = await makeLink(service, { customAlias: 'kept' });
  const response = await call(service, 'POST /api/account/tokens', {
    token: authToken,
    body: { name: 'Other', scope: 'all' },
  });
  const { token, id: tokenId } = response.json().data as { token: string; id: string };
  const accountId = (await service.store.findLink('kept'))?.accountId ?? '';
  return { service, accountId, token, tokenId };
}

/**
 * Sends everything but the body, and waits until the server has accepted the token.
 *
 * @returns sends the body and reads the response
 */
async function sendHeaders(
  { app, store }: TestService,
  { request, body, type = JSON_TYPE }: Late,
  token: string,
  accountId: string,
) {
  const { client } = await openConnection(app);
  client.write(
    [
      `${request} HTTP/1.1`,
      'Host: s.example',
      'Connection: close',
      `Authorization: Bearer ${token}`,
      `Content-Type: ${type}`,
      `Content-Length: ${body.length}`,
      '\r\n',
    ].join('\r\n'),
  );
  const isUnused = async () =>
    (await store.listTokens(accountId)).some(({ lastUsedOn }) => lastUsedOn === null);
  await expect.poll(isUnused).toBe(false);
  return async () => {
    client.write(body);
    const text = await readAll(client);
    const status = Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]);
    return { status, ...(JSON.parse(text.slice(text.indexOf('\r\n\r\n'))) as object) };
  };
}

async function stateOf(store: Store, accountId: string) {
  const all = { accountId, limit: 10, after: null, search: null, tag: null };
  const tokens = await store.listTokens(accountId);
  return { links: (await store.listLinks(all)).links, tokens: tokens.map(({ id }) => id).sort() };
}
