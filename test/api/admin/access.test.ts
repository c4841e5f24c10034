import { describe, expect, test } from 'vitest';
import { call, makeLink, startService } from '../support.ts';
import { ADMIN, ADMIN_TOKEN, callAsAdmin, createAccount } from './as-admin.ts';

const WRONG = 'x'.repeat(ADMIN_TOKEN.length);

describe('/api/admin', () => {
  test('is unknown without ADMIN_TOKEN, also in the API reference', async () => {
    const service = await startService();
    for (const request of ['GET /api/admin/accounts', 'POST /api/admin/blocks', 'GET /api/admin']) {
      const response = await callAsAdmin(service, request);
      expect([response.statusCode, response.json().code], request).toEqual([404, 'not_found']);
    }
    const { body } = await call(service, 'GET /api/openapi.json');
    expect(body).not.toContain('/api/admin');
  });

  test.each([
    ['no token', undefined, 'token_required'],
    ['a wrong one', `Bearer ${WRONG}`, 'invalid_token'],
    ['a part of it', `Bearer ${ADMIN_TOKEN.slice(1)}`, 'invalid_token'],
    ['more than it', `Bearer ${ADMIN_TOKEN}x`, 'invalid_token'],
    ['another scheme', `Basic ${ADMIN_TOKEN}`, 'invalid_token'],
    ['an empty one', 'Bearer ', 'invalid_token'],
  ])('answers 401 to %s', async (_what, authorization, code) => {
    const service = await startService(ADMIN);
    const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
    const response = await call(service, 'GET /api/admin/accounts', { headers });
    expect([response.statusCode, response.json().code]).toEqual([401, code]);
  });

  test('accepts no token of an account, and the other endpoints not that of the administrator', async () => {
    const service = await startService(ADMIN);
    const { token } = await createAccount(service);
    expect((await call(service, 'GET /api/admin/accounts', { token })).statusCode).toBe(401);
    const own = await call(service, 'GET /api/links', { token: ADMIN_TOKEN });
    expect([own.statusCode, own.json().code]).toEqual([401, 'invalid_token']);
  });

  test('makes an address wait after 20 wrong tokens, and no other; right ones do not count', async () => {
    const service = await startService(ADMIN);
    const ask = (token: string, remoteAddress: string) =>
      call(service, 'GET /api/admin/blocks', { token, remoteAddress });
    for (let time = 0; time < 25; time++) {
      expect((await ask(ADMIN_TOKEN, '192.0.2.1')).statusCode).toBe(200);
    }
    for (let time = 0; time < 20; time++) {
      expect((await ask(WRONG, '192.0.2.1')).statusCode).toBe(401);
    }
    for (const token of [WRONG, ADMIN_TOKEN]) {
      const response = await ask(token, '192.0.2.1');
      expect([response.statusCode, response.json().code]).toEqual([429, 'rate_limited']);
      expect(response.headers['retry-after']).toBe('60');
    }
    expect((await ask(ADMIN_TOKEN, '192.0.2.2')).statusCode).toBe(200);
    await service.clock.advance(60_000);
    expect((await ask(ADMIN_TOKEN, '192.0.2.1')).statusCode).toBe(200);
  });

  test('never logs the token', async () => {
    const service = await startService(ADMIN);
    await makeLink(service);
    await callAsAdmin(service, 'GET /api/admin/accounts');
    await callAsAdmin(service, 'POST /api/admin/blocks', { kind: 'nonsense' });
    expect(service.logLines.join('')).not.toContain(ADMIN_TOKEN);
  });
});
