import { describe, expect, test } from 'vitest';
import { accountResponseSchema } from '../../shared/accounts/account.ts';
import { call, makeLink, START, shorten, startService } from './support.ts';

const LINK = { originalUrl: 'https://example.com' };

describe('the rate limit', () => {
  test('is 10 requests per minute by default: the eleventh gets a 429 with Retry-After', async () => {
    const service = await startService({ env: { RATE_LIMIT_PER_MINUTE: '' } });
    for (let call = 1; call <= 10; call++) {
      const response = await shorten(service, call % 2 ? LINK : '{');
      expect(response.statusCode).toBe(call % 2 ? 200 : 400);
      expect(response.headers).toMatchObject({
        'ratelimit-limit': '10',
        'ratelimit-remaining': String(10 - call),
        'ratelimit-reset': '60',
      });
    }
    await service.clock.advance(20_000);
    const rejected = await shorten(service, LINK);
    expect(rejected.statusCode).toBe(429);
    expect(rejected.json()).toMatchObject({ success: false, code: 'rate_limited' });
    expect(rejected.headers).toMatchObject({
      'retry-after': '40',
      'ratelimit-limit': '10',
      'ratelimit-remaining': '0',
      'ratelimit-reset': '40',
    });
    await service.clock.advance(40_000);
    expect((await shorten(service, LINK)).statusCode).toBe(200);
  });

  test('does not depend on the wall clock', async () => {
    const service = await startService({ env: { RATE_LIMIT_PER_MINUTE: '1' } });
    await shorten(service, LINK);
    service.clock.setClock(START - 5 * 3_600_000);
    expect((await shorten(service, LINK)).headers['retry-after']).toBe('60');
    service.clock.setClock(START + 5 * 3_600_000);
    expect((await shorten(service, LINK)).headers['retry-after']).toBe('60');
    await service.clock.advance(60_000);
    expect((await shorten(service, LINK)).statusCode).toBe(200);
  });

  test('counts an account separately, regardless of its address', async () => {
    const service = await startService({ env: { RATE_LIMIT_PER_MINUTE: '2' } });
    const { authToken: one } = await makeLink(service);
    const { authToken: two } = await makeLink(service);
    expect((await shorten(service, LINK)).statusCode).toBe(429);
    for (const token of [one, two]) {
      expect((await shorten(service, LINK, { token })).statusCode).toBe(200);
      expect((await shorten(service, LINK, { token, remoteAddress: '192.0.2.9' })).statusCode).toBe(
        200,
      );
      expect((await shorten(service, LINK, { token })).statusCode).toBe(429);
    }
  });

  test('counts an unknown token against the address', async () => {
    const service = await startService({ env: { RATE_LIMIT_PER_MINUTE: '2' } });
    for (const letter of ['A', 'B']) {
      const token = `curt_${letter.repeat(43)}`;
      expect((await shorten(service, LINK, { token })).statusCode).toBe(401);
    }
    expect((await shorten(service, LINK, { token: `curt_${'C'.repeat(43)}` })).statusCode).toBe(
      429,
    );
  });

  test('counts an IPv6 /64 as one client, and an IPv4-mapped address as the IPv4 address', async () => {
    const service = await startService({ env: { RATE_LIMIT_PER_MINUTE: '1' } });
    const from = async (remoteAddress: string) =>
      (await shorten(service, LINK, { remoteAddress })).statusCode;
    expect(await from('2001:db8:0:1::1')).toBe(200);
    expect(await from('2001:db8:0:1:ffff::2')).toBe(429);
    expect(await from('2001:db8:0:2::1')).toBe(200);
    expect(await from('192.0.2.1')).toBe(200);
    expect(await from('::ffff:192.0.2.1')).toBe(429);
    expect(await from('::ffff:192.0.2.2')).toBe(200);
  });

  test('is ten times as high for an address with any number of tokens', async () => {
    const service = await startService({ env: { RATE_LIMIT_PER_MINUTE: '2' } });
    const tokens: string[] = [];
    for (let account = 0; account < 12; account++) {
      const remoteAddress = `198.51.100.${account}`;
      tokens.push((await makeLink(service, {}, { remoteAddress })).authToken);
    }
    for (const token of tokens.slice(0, 10)) {
      for (let call = 0; call < 2; call++) {
        expect((await shorten(service, LINK, { token })).statusCode).toBe(200);
      }
    }
    await service.clock.advance(20_000);
    const [token = '', other = ''] = tokens.slice(10);
    const rejected = await shorten(service, LINK, { token });
    expect(rejected.statusCode).toBe(429);
    expect(rejected.json().code).toBe('rate_limited');
    expect(rejected.headers).toMatchObject({
      'retry-after': '40',
      'ratelimit-limit': '20',
      'ratelimit-remaining': '0',
      'ratelimit-reset': '40',
    });
    const elsewhere = { token: other, remoteAddress: '192.0.2.9' };
    expect((await shorten(service, LINK, elsewhere)).statusCode).toBe(200);
    await service.clock.advance(40_000);
    expect((await shorten(service, LINK, { token })).statusCode).toBe(200);
  });

  test('ignores X-Forwarded-For from an untrusted proxy and warns once', async () => {
    const service = await startService({ env: { RATE_LIMIT_PER_MINUTE: '1' } });
    const forwarded = (address: string) =>
      shorten(service, LINK, { headers: { 'x-forwarded-for': address } });
    expect((await forwarded('192.0.2.1')).statusCode).toBe(200);
    expect((await forwarded('192.0.2.2')).statusCode).toBe(429);
    const warnings = service.logLines.filter((line) => line.includes('X-Forwarded-For'));
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).not.toContain('192.0.2');
  });

  test('trusts X-Forwarded-For from the proxies in TRUST_PROXY', async () => {
    const service = await startService({
      env: { RATE_LIMIT_PER_MINUTE: '1', TRUST_PROXY: '127.0.0.1, 10.0.0.0/8' },
    });
    const forwarded = async (address: string, remoteAddress: string) =>
      (
        await shorten(service, LINK, {
          headers: { 'x-forwarded-for': address },
          remoteAddress,
        })
      ).statusCode;
    expect(await forwarded('192.0.2.1', '127.0.0.1')).toBe(200);
    expect(await forwarded('192.0.2.2', '10.1.2.3')).toBe(200);
    expect(await forwarded('192.0.2.1', '10.1.2.3')).toBe(429);
    // Entries by the client are not trusted: the proxy's own entry is the last one.
    expect(await forwarded('198.51.100.1, 192.0.2.1', '127.0.0.1')).toBe(429);
    expect(service.logLines.join('')).not.toContain('X-Forwarded-For');
  });
});

describe('a client behind a trusted proxy', () => {
  test.each([
    ['192.0.2.1:5001', '192.0.2.1:5002'],
    ['[2001:db8::1]:5001', '[2001:db8::2]'],
    ['unknown', 'also-unknown'],
  ])('is one client as %s and as %s', async (first, second) => {
    const service = await startService({
      env: { RATE_LIMIT_PER_MINUTE: '1', TRUST_PROXY: '127.0.0.1' },
    });
    const from = async (address: string) =>
      (await shorten(service, LINK, { headers: { 'x-forwarded-for': address } })).statusCode;
    expect(await from(first)).toBe(200);
    expect(await from(second)).toBe(429);
    expect(await from('198.51.100.9')).toBe(200);
  });

  test('causes no warning, even if the proxy forwards its own address', async () => {
    const service = await startService({ env: { TRUST_PROXY: '127.0.0.1' } });
    await shorten(service, LINK, { headers: { 'x-forwarded-for': '127.0.0.1' } });
    expect(service.logLines.join('')).not.toContain('X-Forwarded-For');
  });
});

describe('anonymous accounts', () => {
  test('are limited to 50 per day and address, or to ANONYMOUS_PER_DAY', async () => {
    const service = await startService({ env: { ANONYMOUS_PER_DAY: '2' } });
    const { authToken: token } = await makeLink(service);
    await makeLink(service);
    await service.clock.advance(3_600_000);
    const rejected = await shorten(service, LINK);
    expect(rejected.statusCode).toBe(429);
    expect(rejected.json().code).toBe('account_limit');
    expect(rejected.headers['retry-after']).toBe(String(23 * 3600));
    // Tokens and other addresses still work.
    expect((await shorten(service, LINK, { token })).statusCode).toBe(200);
    expect((await shorten(service, LINK, { remoteAddress: '192.0.2.7' })).statusCode).toBe(200);
    await service.clock.advance(23 * 3_600_000);
    expect((await shorten(service, LINK)).statusCode).toBe(200);
  });

  test('are limited before an alias is looked up and before a password is hashed', async () => {
    const service = await startService({ env: { ANONYMOUS_PER_DAY: '1' } });
    await makeLink(service, { customAlias: 'taken' });
    for (const fields of [{}, { password: 'p' }]) {
      for (const customAlias of ['taken', 'free', 'api']) {
        const response = await shorten(service, { ...LINK, customAlias, ...fields });
        expect([response.statusCode, response.json().code]).toEqual([429, 'account_limit']);
      }
    }
    const responses = await Promise.all(
      Array.from({ length: 60 }, () => shorten(service, { ...LINK, password: 'p' })),
    );
    // If they were hashed, sixty at once would exceed the queue, and some would get a 503.
    expect(new Set(responses.map(({ statusCode }) => statusCode))).toEqual(new Set([429]));
    // An invalid request still gets a 400.
    expect(
      (await shorten(service, { ...LINK, expiresAt: '2020-01-01T00:00:00Z' })).statusCode,
    ).toBe(400);
  });

  test('are limited while passwords are hashed: requests above the limit hash nothing', async () => {
    const service = await startService({ env: { ANONYMOUS_PER_DAY: '2' } });
    const responses = await Promise.all(
      Array.from({ length: 60 }, () => shorten(service, { ...LINK, password: 'p' })),
    );
    const statuses = responses.map(({ statusCode }) => statusCode).sort();
    expect(statuses).toEqual([200, 200, ...Array(58).fill(429)]);
  });

  test('are counted exactly under concurrent requests, and only if one was created', async () => {
    const service = await startService({ env: { ANONYMOUS_PER_DAY: '3' } });
    await makeLink(service, { customAlias: 'taken' });
    for (let call = 0; call < 5; call++) {
      await shorten(service, { ...LINK, customAlias: 'taken' });
    }
    const responses = await Promise.all(Array.from({ length: 20 }, () => shorten(service, LINK)));
    expect(responses.filter(({ statusCode }) => statusCode === 200)).toHaveLength(2);
    expect(responses.filter(({ statusCode }) => statusCode === 429)).toHaveLength(18);
  });
});

// All limits of addresses have the same keys.
describe('the limit of an IPv6 network', () => {
  async function startWithNetworks() {
    const service = await startService({ env: { RATE_LIMIT_PER_MINUTE: '1' } });
    return async (site: number, subnet: number) => {
      const remoteAddress = `2001:db8:${site}:${subnet.toString(16)}::1`;
      return (await shorten(service, LINK, { remoteAddress })).statusCode;
    };
  }

  test('is ten times as high for a /56 as for a /64', async () => {
    const from = await startWithNetworks();
    expect([await from(0, 0), await from(0, 0)]).toEqual([200, 429]);
    for (let subnet = 1; subnet < 10; subnet++) expect(await from(0, subnet)).toBe(200);
    expect(await from(0, 10)).toBe(429);
    expect(await from(0, 0x100)).toBe(200);
  });

  test('is thirty times as high for a /48 as for a /64', async () => {
    const from = await startWithNetworks();
    for (let household = 0; household < 30; household++) {
      expect(await from(0, household * 0x100)).toBe(200);
    }
    expect(await from(0, 30 * 0x100)).toBe(429);
    expect(await from(1, 0)).toBe(200);
  });
});

describe('a cross-site request', () => {
  const crossSite = (origin?: string) => ({
    headers: { 'sec-fetch-site': 'cross-site', ...(origin && { origin }) },
  });

  test.each([undefined, 'null', 'https://evil.example'])(
    'gets a 403 and does not count (%s)',
    async (origin) => {
      const service = await startService({ env: { RATE_LIMIT_PER_MINUTE: '1' } });
      for (let call = 0; call < 11; call++) {
        const rejected = await shorten(service, LINK, crossSite(origin));
        expect(rejected.statusCode).toBe(403);
        expect(rejected.json()).toMatchObject({ success: false, code: 'cross_site' });
      }
      expect((await shorten(service, LINK)).statusCode).toBe(200);
    },
  );

  test.each([
    'chrome-extension://abcdefghijklmnopabcdefghijklmnop',
    'moz-extension://7b3f0b8e-4f6e-4d5c-9d57-0e1e6a1c5a11',
    'https://app.example.com',
  ])('is allowed from %s', async (origin) => {
    const service = await startService({ env: { CORS_ORIGINS: 'https://app.example.com' } });
    expect((await shorten(service, LINK, crossSite(origin))).statusCode).toBe(200);
  });

  test('is allowed with a safe method', async () => {
    const service = await startService();
    const { statusCode } = await service.app.inject({ url: '/api/health', ...crossSite() });
    expect(statusCode).toBe(200);
  });
});

describe('the monthly quota', () => {
  test('is exact under concurrent requests and reports when it resets', async () => {
    const service = await startService({ env: { MONTHLY_QUOTA: '5' } });
    const { authToken: token } = await makeLink(service);
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => shorten(service, LINK, { token })),
    );
    const rejected = responses.filter(({ statusCode }) => statusCode === 429);
    expect(responses.filter(({ statusCode }) => statusCode === 200)).toHaveLength(4);
    expect(rejected).toHaveLength(16);
    // Ten and a half days until December 1.
    const seconds = String(10.5 * 86_400);
    expect(rejected[0]?.json().code).toBe('quota_exceeded');
    expect(rejected[0]?.headers).toMatchObject({
      'retry-after': seconds,
      'x-quota-limit': '5',
      'x-quota-remaining': '0',
      'x-quota-reset': seconds,
    });
    await service.clock.advance(10.5 * 86_400_000);
    const next = await shorten(service, LINK, { token });
    expect(next.statusCode).toBe(200);
    expect(next.headers['x-quota-remaining']).toBe('4');
  });

  test('is checked before a password is hashed', async () => {
    const service = await startService({ env: { MONTHLY_QUOTA: '1', ANONYMOUS_PER_DAY: '100' } });
    const { authToken: token } = await makeLink(service, { customAlias: 'taken' });
    const statusesOf = async (body: object, options: object) => {
      const responses = await Promise.all(
        Array.from({ length: 60 }, () =>
          shorten(service, { ...LINK, password: 'p', ...body }, options),
        ),
      );
      return new Set(responses.map(({ statusCode }) => statusCode));
    };
    // If they were hashed, sixty at once would exceed the queue, and some would get a 503.
    expect(await statusesOf({ customAlias: 'taken' }, {})).toEqual(new Set([409]));
    expect(await statusesOf({}, { token })).toEqual(new Set([429]));
  });

  test('counts only created links', async () => {
    const service = await startService({ env: { MONTHLY_QUOTA: '2' } });
    const { authToken: token } = await makeLink(service, { customAlias: 'taken' });
    await shorten(service, { originalUrl: 'nope' }, { token });
    await shorten(service, { ...LINK, customAlias: 'taken' }, { token });
    expect((await shorten(service, LINK, { token })).statusCode).toBe(200);
    expect((await shorten(service, LINK, { token })).statusCode).toBe(429);
  });

  test('has no headers with MONTHLY_QUOTA=unlimited', async () => {
    const service = await startService({ env: { MONTHLY_QUOTA: 'unlimited' } });
    const first = await shorten(service, LINK);
    const token = first.json().data.authToken;
    for (const response of [first, await shorten(service, { ...LINK, password: 'p' }, { token })]) {
      expect(response.statusCode).toBe(200);
      expect(Object.keys(response.headers).filter((name) => name.startsWith('x-quota'))).toEqual(
        [],
      );
    }
    const account = await call(service, 'GET /api/account', { token });
    expect(accountResponseSchema.parse(account.json()).data.quota).toEqual({
      limit: null,
      used: 2,
      remaining: null,
      resetsAt: '2026-12-01T00:00:00.000Z',
    });
  });

  test('is in the headers of every response once the account is known, also for errors', async () => {
    const service = await startService();
    const first = await shorten(service, LINK);
    expect(first.headers).toMatchObject({ 'x-quota-limit': '1000', 'x-quota-remaining': '999' });
    const token = first.json().data.authToken;
    const bad = await shorten(service, '{', { token });
    expect(bad.statusCode).toBe(400);
    expect(bad.headers['x-quota-remaining']).toBe('999');
    expect((await shorten(service, '{')).headers).not.toHaveProperty('x-quota-limit');
  });
});

describe('GET /api/account', () => {
  test('returns links, quota and rate without counting against the rate limit', async () => {
    const service = await startService({ env: { RATE_LIMIT_PER_MINUTE: '10' } });
    const { authToken: token } = await makeLink(service);
    await makeLink(service, {}, { token });
    await call(service, 'GET /api/account', { token });
    const response = await call(service, 'GET /api/account', { token });
    expect(response.statusCode).toBe(200);
    expect(response.json()).toEqual({
      success: true,
      message: expect.any(String),
      data: {
        name: '',
        domain: 's.example',
        created: '2026-11-20T12:00:00.000Z',
        links: 2,
        quota: { limit: 1000, used: 2, remaining: 998, resetsAt: '2026-12-01T00:00:00.000Z' },
        // The first request had no account yet and counted against the address.
        rate: { limit: 10, remaining: 9, resetsInSeconds: 60 },
        tokens: [expect.objectContaining({ scope: 'all', isCurrent: true })],
      },
    });
  });
});
