import { describe, expect, test } from 'vitest';
import { call, startService, type TestService } from '../support.ts';
import { ADMIN, callAsAdmin, createAccount, dataAsAdmin } from './as-admin.ts';

async function startWithTokens() {
  const service = await startService(ADMIN);
  const { id, token: first } = await createAccount(service);
  const path = `/api/admin/accounts/${id}/tokens`;
  const create = (name: string, scope = 'all') =>
    dataAsAdmin(service, `POST ${path}`, { name, scope });
  return { service, id, first, path, create };
}

async function statusOf(service: TestService, token: string): Promise<number> {
  return (await call(service, 'GET /api/account', { token })).statusCode;
}

describe('POST /api/admin/accounts/:id/tokens', () => {
  test('gives somebody who lost theirs a new one, which can revoke the lost one', async () => {
    const { service, id, first: lost, create } = await startWithTokens();
    const { token, ...info } = await create('Laptop');
    expect(info).toMatchObject({ name: 'Laptop', scope: 'all', lastUsedOn: null });
    const revoked = await call(service, `DELETE /api/account/tokens/${id}`, { token });
    expect(revoked.statusCode).toBe(200);
    expect(await statusOf(service, lost)).toBe(401);
    expect(await statusOf(service, token)).toBe(200);
    const unknown = await callAsAdmin(service, 'POST /api/admin/accounts/x/tokens', {
      name: 'Laptop',
      scope: 'all',
    });
    expect(unknown.statusCode).toBe(404);
  });
});

describe('GET /api/admin/accounts/:id/tokens', () => {
  test('lists the tokens of the account, oldest first, without the tokens themselves', async () => {
    const { service, id, first, path, create } = await startWithTokens();
    const { token, ...laptop } = await create('Laptop', 'read');
    await statusOf(service, token);
    const response = await callAsAdmin(service, `GET ${path}`);
    expect(response.json().data).toEqual([
      expect.objectContaining({ id, name: '', scope: 'all', lastUsedOn: null }),
      { ...laptop, lastUsedOn: '2026-11-20' },
    ]);
    for (const secret of [first, token]) expect(response.body).not.toContain(secret);
    const unknown = await callAsAdmin(service, 'GET /api/admin/accounts/x/tokens');
    expect([unknown.statusCode, unknown.json().code]).toEqual([404, 'not_found']);
  });
});

describe('DELETE /api/admin/accounts/:id/tokens/:tokenId', () => {
  test('revokes a token at once, also the last one, with an entry in the audit log', async () => {
    const { service, id, first, path, create } = await startWithTokens();
    const { token, id: tokenId } = await create('Laptop');
    await dataAsAdmin(service, `DELETE ${path}/${tokenId}`);
    expect(await statusOf(service, token)).toBe(401);
    expect(await statusOf(service, first)).toBe(200);
    await dataAsAdmin(service, `DELETE ${path}/${id}`);
    expect(await statusOf(service, first)).toBe(401);
    expect(await dataAsAdmin(service, `GET ${path}`)).toEqual([]);
    expect(await dataAsAdmin(service, 'GET /api/admin/audit?limit=2')).toMatchObject([
      { action: 'token.revoke', target: id, details: { tokenId: id, name: '' } },
      { action: 'token.revoke', target: id, details: { tokenId, name: 'Laptop' } },
    ]);
    const { token: next } = await create('A new start');
    expect(await statusOf(service, next)).toBe(200);
  });

  test('answers 404 for a token of another account, and logs nothing', async () => {
    const { service, id, first } = await startWithTokens();
    const other = await createAccount(service, { name: 'Bob' });
    const before = await dataAsAdmin(service, 'GET /api/admin/audit');
    for (const path of [`${other.id}/tokens/${id}`, `x/tokens/${id}`, `${id}/tokens/x`]) {
      const response = await callAsAdmin(service, `DELETE /api/admin/accounts/${path}`);
      expect([response.statusCode, response.json().code], path).toEqual([404, 'not_found']);
    }
    expect(await statusOf(service, first)).toBe(200);
    expect(await dataAsAdmin(service, 'GET /api/admin/audit')).toEqual(before);
  });
});
