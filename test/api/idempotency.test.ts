import { randomUUID } from 'node:crypto';
import { describe, expect, onTestFinished, test } from 'vitest';
import { buildApp } from '../../server/app.ts';
import { readSettings } from '../../server/config.ts';
import { readIdempotencyKey } from '../../server/links/idempotency.ts';
import { BASE_URL, makeLink, sharedService, shorten, startService } from './support.ts';

const LINK = { originalUrl: 'https://example.com', title: 'One' };
const DAY_MS = 86_400_000;

describe('Idempotency-Key', () => {
  const shared = sharedService();

  test('returns the first response again for the same key and body, including the anonymous token', async () => {
    const service = await startService();
    const key = randomUUID();
    const first = await shorten(service, { ...LINK, generateQR: true }, { key });
    await service.clock.advance(DAY_MS - 1);
    const second = await shorten(service, { ...LINK, generateQR: true }, { key });
    expect(second.statusCode).toBe(200);
    expect(second.json()).toEqual(first.json());
    expect(second.json().data.newAuthToken).toMatch(/^curt_/);
    const { links, accounts } = await service.data.read();
    expect([links.length, accounts.length]).toEqual([1, 1]);
    await service.clock.advance(1);
    const third = await shorten(service, LINK, { key });
    expect(third.json().data.id).not.toBe(first.json().data.id);
  });

  test('uses one anonymous account and one password hash for concurrent requests', async () => {
    const service = await startService({ env: { ANONYMOUS_PER_DAY: '1' } });
    const key = randomUUID();
    const calls = Array.from({ length: 60 }, (_, call) =>
      shorten(service, { ...LINK, password: call === 59 ? 'other' : 'p' }, { key }),
    );
    const responses = await Promise.all(calls);
    const statuses = responses.map(({ statusCode }) => statusCode);
    expect(statuses).toEqual([...Array(59).fill(200), 422]);
    expect(new Set(responses.map(({ body }) => body)).size).toBe(2);
  });

  test('ignores whitespace and the order of fields in the body', async () => {
    const service = await startService();
    const key = randomUUID();
    const first = await shorten(service, '{"originalUrl":"example.com","title":"One"}', { key });
    const second = await shorten(service, '{ "title": "One", "originalUrl": " example.com " }', {
      key,
    });
    expect(second.json()).toEqual(first.json());
  });

  test('answers 422 for the same key with a different body', async () => {
    const service = await startService();
    const key = randomUUID();
    await shorten(service, LINK, { key });
    const response = await shorten(service, { ...LINK, title: 'Two' }, { key });
    expect(response.statusCode).toBe(422);
    expect(response.json().code).toBe('idempotency_mismatch');
  });

  test('returns the first response again even if the link has expired and the quota is used up', async () => {
    const service = await startService({ env: { MONTHLY_QUOTA: '2' } });
    const { authToken: token } = await makeLink(service);
    const key = 'k'.repeat(16);
    const body = { ...LINK, expiresAt: '2026-11-20T13:00:00Z' };
    const first = await shorten(service, body, { token, key });
    await service.clock.advance(2 * 3_600_000);
    const second = await shorten(service, body, { token, key });
    expect(second.statusCode).toBe(200);
    expect(second.json()).toEqual(first.json());
  });

  test('returns the first response again after a restart with another SECRET, with and without a token', async () => {
    const service = await startService({ env: { SECRET: 'a'.repeat(32) } });
    const { authToken: token } = await makeLink(service);
    const key = randomUUID();
    const anonymous = await shorten(service, LINK, { key });
    const known = await shorten(service, LINK, { key, token });
    for (const SECRET of ['b'.repeat(32), '']) {
      await service.app.close();
      const app = await buildApp({
        settings: readSettings({ BASE_URL, SECRET, LOG_LEVEL: 'silent' }),
        store: service.store,
        time: service.clock,
      });
      onTestFinished(() => app.close());
      expect((await shorten({ app }, LINK, { key })).json()).toEqual(anonymous.json());
      expect((await shorten({ app }, LINK, { key, token })).json()).toEqual(known.json());
    }
  });

  test('does not store errors', async () => {
    const service = await startService();
    const key = randomUUID();
    await makeLink(service, { customAlias: 'taken' });
    expect((await shorten(service, { ...LINK, customAlias: 'taken' }, { key })).statusCode).toBe(
      409,
    );
    expect((await shorten(service, { ...LINK, customAlias: 'free' }, { key })).statusCode).toBe(
      200,
    );
  });

  test('is separate for each account', async () => {
    const service = await startService();
    const { authToken: one } = await makeLink(service);
    const { authToken: two } = await makeLink(service);
    const key = 'the-same-key-for-two';
    const first = await makeLink(service, {}, { token: one, key });
    const second = await makeLink(service, {}, { token: two, key });
    expect(second.id).not.toBe(first.id);
    expect((await makeLink(service, {}, { token: one, key })).id).toBe(first.id);
  });

  test('must be 16 to 255 visible ASCII characters', async () => {
    const service = await startService();
    const { authToken: token } = await makeLink(service);
    const statusOf = async (key: string) =>
      (await shorten(service, LINK, { token, key })).statusCode;
    expect(await statusOf('k'.repeat(15))).toBe(400);
    expect(await statusOf('k'.repeat(16))).toBe(200);
    expect(await statusOf('k'.repeat(255))).toBe(200);
    expect(await statusOf('k'.repeat(256))).toBe(400);
    expect(await statusOf('with a space inside')).toBe(400);
  });

  test.each([
    ['no UUID', 'k'.repeat(32)],
    ['the nil UUID', '00000000-0000-0000-0000-000000000000'],
    ['the max UUID', 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
    ['version 1', 'c232ab00-9414-11ec-b3c8-9f6bdeced846'],
    ['version 2', '000003e8-cbb9-21ea-b201-00045a86c8a1'],
    ['version 3, of a name', '5df41881-3aed-3515-88a7-2f4a814cf09e'],
    ['version 5, of a name', '2ed6657d-e927-568b-95e1-2665a8aea6a2'],
    ['version 6', '1ec9414c-232a-6b00-b3c8-9f6bdeced846'],
    ['version 8', '2489e9ad-2ee2-8e00-8ec9-32d5f69181c0'],
    ['another variant', '9f0d1b7a-6c1e-4b5e-c2d3-7f3b1a9e8d40'],
    ['an example of a manual', '123e4567-e89b-12d3-a456-426614174000'],
    ['an example of version 4', '550E8400-E29B-41D4-A716-446655440000'],
    ['an example of a specification', 'f47ac10b-58cc-4372-a567-0e02b2c3d479'],
    ['repeated digits', '11111111-1111-4111-8111-111111111111'],
    ['few digits', 'deadbeef-dead-4ead-beef-deadbeefdead'],
    ['digits that count up', '12345678-1234-4234-8234-123456789abc'],
    ['a time with repeated digits', '019cb7a1-5c42-7000-8000-000000000001'],
  ])('must not be guessable without a token: %s', async (_, key) => {
    const service = shared();
    const response = await shorten(service, LINK, { key });
    expect(response.statusCode).toBe(400);
    expect(response.json().issues).toMatchObject([{ path: 'Idempotency-Key' }]);
    const { authToken: token } = await makeLink(service);
    expect((await shorten(service, LINK, { token, key })).statusCode).toBe(200);
  });

  test('can be of version 7 without a token', async () => {
    const service = await startService();
    const key = '019cb7a1-5c42-7f3e-8d21-4b6e90a7c5f8';
    expect((await shorten(service, LINK, { key })).statusCode).toBe(200);
  });

  test('is accepted without a token whatever random UUID it is', () => {
    const refused = Array.from({ length: 20_000 }, () => randomUUID()).filter(
      (key) => readIdempotencyKey(key, true) !== key,
    );
    expect(refused).toEqual([]);
  });

  test('is not written to disk, nor are body and token', async () => {
    const service = await startService();
    const key = randomUUID();
    const response = await shorten(service, { ...LINK, password: 'open sesame' }, { key });
    const { text, idempotency } = await service.data.read();
    expect(idempotency).toHaveLength(1);
    for (const secret of [key, 'open sesame', response.json().data.authToken.slice(5)]) {
      expect(text).not.toContain(secret);
    }
  });
});
