import { describe, expect, test } from 'vitest';
import { batchResponseSchema } from '../../../shared/links/batch.ts';
import { call, makeLink, shorten, startService, type TestService } from '../support.ts';

const KEY = 'a-key-of-16-characters';
const URLS = ['https://example.com/0', 'https://example.com/1', 'https://example.com/2'];
const LINKS = URLS.map((originalUrl) => ({ originalUrl }));

async function startWithAccount(env: Record<string, string> = {}) {
  const service = await startService({ env });
  const { authToken: token } = await makeLink(service, { customAlias: 'Taken' });
  const send = (body: unknown, headers: Record<string, string> = {}) =>
    call(service, 'POST /api/links/batch', { token, body, headers });
  return { service, token, send };
}

type Result = { status: number; code?: string; data?: { alias: string; originalUrl: string } };

function linksOf({ store }: TestService, results: Result[]) {
  return Promise.all(results.map(({ data }) => store.findLink(data?.alias ?? '')));
}

describe('POST /api/links/batch', () => {
  test('creates all links and answers their records in the order of the requests', async () => {
    const { service, send } = await startWithAccount();
    const response = await send(LINKS);
    expect(response.statusCode).toBe(200);
    const { data } = batchResponseSchema.parse(response.json());
    expect(data).toMatchObject(
      URLS.map((originalUrl) => ({
        status: 200,
        success: true,
        data: { originalUrl },
      })),
    );
    const links = await linksOf(service, response.json().data);
    expect(links.map((link) => link?.originalUrl)).toEqual(URLS);
  });

  test('answers each request as the single call would, and lets the others pass', async () => {
    const { send, service, token } = await startWithAccount();
    const bodies = [
      { originalUrl: 'https://example.com', customAlias: 'mine', tags: ['a'], password: 'secret' },
      { originalUrl: 'mailto:a@b.example' },
      { originalUrl: 'https://example.com', customAlias: 'TAKEN' },
      { originalUrl: 'https://example.com', expiresAt: '2020-01-01T00:00:00Z' },
      { originalUrl: 'https://example.com', titel: 'x' },
      'https://example.com',
      null,
      { originalUrl: 'https://example.com', generateQR: true },
    ];
    const { data } = (await send(bodies)).json();
    expect(data.map(({ status }: Result) => status)).toEqual([
      200, 400, 409, 400, 400, 400, 400, 200,
    ]);
    for (const [index, body] of bodies.entries()) {
      if (data[index].status === 200) continue;
      const { status, ...failure } = data[index];
      const single = await shorten(service, JSON.stringify(body), { token });
      // Suggestions are random.
      const suggestions = failure.suggestions && { suggestions: expect.any(Array) };
      expect(single.statusCode).toBe(status);
      expect(single.json()).toEqual({ ...failure, ...suggestions });
    }
  });

  test.each<[unknown, number, string]>([
    ['[', 400, 'invalid_json'],
    [{ links: LINKS }, 400, 'invalid_request'],
    [[], 400, 'invalid_request'],
    [Array.from({ length: 101 }, () => LINKS[0]), 400, 'invalid_request'],
    [[{ ...LINKS[0], description: 'd'.repeat(256 * 1024) }], 413, 'body_too_large'],
  ])('%# is refused as a whole', async (body, status, code) => {
    const { send } = await startWithAccount();
    const response = await send(body);
    expect(response.statusCode).toBe(status);
    expect(response.json()).toMatchObject({ success: false, code });
    if (status === 413) expect(response.json().message).toContain('256 KiB');
  });

  test('can have 100 links and more than 64 KiB', async () => {
    const { send, service, token } = await startWithAccount();
    const bodies = Array.from({ length: 100 }, (_, index) => ({
      originalUrl: `https://example.com/${index}`,
      description: 'd'.repeat(1500),
    }));
    const { data } = (await send(bodies)).json();
    expect(data.every(({ status }: Result) => status === 200)).toBe(true);
    const account = await call(service, 'GET /api/account', { token });
    expect(account.json().data.links).toBe(101);
  });

  test('can have a password for every link', async () => {
    const { send } = await startWithAccount();
    const bodies = Array.from({ length: 40 }, () => ({ ...LINKS[0], password: 'secret' }));
    const { data } = (await send(bodies)).json();
    expect(data.every(({ status }: Result) => status === 200)).toBe(true);
  });

  test('counts once against the rate limit, also if it fails', async () => {
    const { send, service, token } = await startWithAccount({ RATE_LIMIT_PER_MINUTE: '3' });
    expect((await send(LINKS)).headers['ratelimit-remaining']).toBe('2');
    const invalid = await send('[');
    expect(invalid.headers).toMatchObject({
      'ratelimit-remaining': '1',
      'x-quota-remaining': expect.any(String),
    });
    expect((await shorten(service, LINKS[0], { token })).statusCode).toBe(200);
    const response = await send(LINKS);
    expect(response.statusCode).toBe(429);
    expect(response.json().code).toBe('rate_limited');
  });

  test('counts every link against the quota, exactly', async () => {
    const { send, service, token } = await startWithAccount({ MONTHLY_QUOTA: '3' });
    const response = await send(LINKS);
    const codes = response.json().data.map(({ code }: Result) => code ?? 'created');
    expect(codes.sort()).toEqual(['created', 'created', 'quota_exceeded']);
    expect(response.headers['x-quota-remaining']).toBe('0');
    expect((await shorten(service, LINKS[0], { token })).statusCode).toBe(429);
  });

  test('gives an alias that is requested twice to one of them', async () => {
    const { send } = await startWithAccount();
    const body = { originalUrl: 'https://example.com', customAlias: 'once' };
    const { data } = (await send([body, { ...body, customAlias: 'ONCE' }])).json();
    expect(data.map(({ status }: Result) => status).sort()).toEqual([200, 409]);
  });
});

describe('with an Idempotency-Key, a batch', () => {
  test('answers the first results again and creates nothing, also at once', async () => {
    const { service, token, send } = await startWithAccount();
    const headers = { 'idempotency-key': KEY };
    const [first, second] = await Promise.all([send(LINKS, headers), send(LINKS, headers)]);
    const third = await send(LINKS, headers);
    expect(first.json().data).toHaveLength(3);
    expect(second.json()).toEqual(first.json());
    expect(third.json()).toEqual(first.json());
    const account = await call(service, 'GET /api/account', { token });
    expect(account.json().data.links).toBe(4);
  });

  test('creates in a retry what failed before', async () => {
    const { service, send } = await startWithAccount({ MONTHLY_QUOTA: '2' });
    const headers = { 'idempotency-key': KEY };
    const statusesOf = async () =>
      (await send(LINKS, headers)).json().data.map(({ status }: Result) => status);
    await service.clock.advance(10 * 86_400_000 + 11 * 3_600_000);
    expect((await statusesOf()).sort()).toEqual([200, 429, 429]);
    // The first of the next month.
    await service.clock.advance(3_600_000);
    expect((await statusesOf()).sort()).toEqual([200, 200, 200]);
  });

  test.each<[string, (links: object[]) => unknown]>([
    ['another link', (links) => [...links.slice(1), { originalUrl: 'https://example.org' }]],
    ['one link more', (links) => [...links, links[0]]],
    ['one link fewer', (links) => links.slice(1)],
    ['another order', (links) => links.toReversed()],
    ['another field', (links) => links.map((link) => ({ ...link, title: 'x' }))],
    ['only the one that failed', () => [{ originalUrl: 'https://example.com' }]],
  ])('is a 422 as a whole if the batch differs by %s', async (_what, change) => {
    const { service, token, send } = await startWithAccount();
    const headers = { 'idempotency-key': KEY };
    const links = [{ originalUrl: 'invalid' }, ...LINKS];
    expect((await send(links, headers)).statusCode).toBe(200);
    const response = await send(change(links), headers);
    expect(response.statusCode).toBe(422);
    expect(response.json().code).toBe('idempotency_mismatch');
    const account = await call(service, 'GET /api/account', { token });
    expect(account.json().data.links).toBe(4);
  });

  test('ignores the order of fields and white space', async () => {
    const { send } = await startWithAccount();
    const headers = { 'idempotency-key': KEY };
    const first = await send('[{"originalUrl":"https://example.com","title":"x"}]', headers);
    const again = await send('[ {"title":"x", "originalUrl":"https://example.com"} ]', headers);
    expect(again.json()).toEqual(first.json());
  });

  test('is a 400 with an invalid key', async () => {
    const { send } = await startWithAccount();
    expect((await send(LINKS, { 'idempotency-key': 'short' })).statusCode).toBe(400);
  });
});
