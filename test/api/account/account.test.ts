import { describe, expect, test } from 'vitest';
import { call, makeLink, startService } from '../support.ts';
import { visit } from '../visits/visiting.ts';

async function startWithAccount() {
  const service = await startService();
  const { authToken: token } = await makeLink(service, { customAlias: 'launch' });
  return { service, token };
}

describe('GET /api/account', () => {
  test('answers the usage of the account and its tokens', async () => {
    const { service, token } = await startWithAccount();
    const response = await call(service, 'GET /api/account', { token });
    expect(response.statusCode).toBe(200);
    expect(response.json().data).toEqual({
      name: '',
      created: '2026-11-20T12:00:00.000Z',
      domain: 's.example',
      links: 1,
      quota: { limit: 1000, used: 1, remaining: 999, resetsAt: '2026-12-01T00:00:00.000Z' },
      rate: { limit: 1000, remaining: 1000, resetsInSeconds: 0 },
      tokens: [
        {
          id: expect.any(String),
          name: '',
          scope: 'all',
          created: '2026-11-20T12:00:00.000Z',
          lastUsedOn: '2026-11-20',
          isCurrent: true,
        },
      ],
    });
  });

  test.each(['read', 'create'])(
    'answers no other token to one with the scope %s',
    async (scope) => {
      const { service, token } = await startWithAccount();
      const body = { name: 'Script', scope };
      const made = await call(service, 'POST /api/account/tokens', { token, body });
      const script = made.json().data.token;
      const tokensSeenBy = async (token: string) =>
        (await call(service, 'GET /api/account', { token })).json().data.tokens;
      expect(await tokensSeenBy(script)).toEqual([
        {
          id: made.json().data.id,
          name: 'Script',
          scope,
          created: '2026-11-20T12:00:00.000Z',
          lastUsedOn: '2026-11-20',
          isCurrent: true,
        },
      ]);
      expect(await tokensSeenBy(token)).toHaveLength(2);
    },
  );
});

describe('DELETE /api/account', () => {
  test('deletes the account, its links and its tokens at once', async () => {
    const { service, token } = await startWithAccount();
    expect((await visit(service, '/launch')).statusCode).toBe(302);
    const response = await call(service, 'DELETE /api/account', {
      token,
      body: { confirm: 'delete' },
    });
    expect(response.statusCode).toBe(200);
    expect(response.json()).toMatchObject({ success: true, data: null });
    expect((await visit(service, '/launch')).statusCode).not.toBe(302);
    const account = await call(service, 'GET /api/account', { token });
    expect(account.json().code).toBe('invalid_token');
  });

  test.each([{}, { confirm: 'yes' }, { confirm: true }, { confirm: 'delete', now: true }])(
    'with %j is a 400 and deletes nothing',
    async (body) => {
      const { service, token } = await startWithAccount();
      const response = await call(service, 'DELETE /api/account', { token, body });
      expect(response.statusCode).toBe(400);
      expect((await call(service, 'GET /api/account', { token })).statusCode).toBe(200);
    },
  );

  test('without a body is a 415', async () => {
    const { service, token } = await startWithAccount();
    const response = await call(service, 'DELETE /api/account', { token });
    expect(response.statusCode).toBe(415);
  });
});
