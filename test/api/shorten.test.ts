import { describe, expect, test } from 'vitest';
import { createdLinkSchema } from '../../shared/links/link-record.ts';
import { BASE_URL, call, makeLink, sharedService, shorten, startService } from './support.ts';

describe('POST /api/shorten', () => {
  test('responds with 200, success, a message and the complete record', async () => {
    const service = await startService();
    const response = await shorten(service, { originalUrl: 'https://example.com/page' });
    expect(response.statusCode).toBe(200);
    expect(response.headers['cache-control']).toBe('no-store');
    const { success, message, data } = response.json();
    expect(success).toBe(true);
    expect(message).toEqual(expect.any(String));
    expect(createdLinkSchema.strict().safeParse(data).error).toBeUndefined();
    expect(data).toEqual({
      id: expect.stringMatching(/^[\w-]{16}$/),
      alias: expect.stringMatching(/^[23456789abcdefghjkmnpqrstuvwxyz]{7}$/),
      shortUrl: `${BASE_URL}/${data.alias}`,
      originalUrl: 'https://example.com/page',
      customAlias: '',
      domain: 's.example',
      title: '',
      label: '',
      publicStats: false,
      description: null,
      hasPassword: false,
      manyWrongPasswords: false,
      isActive: true,
      isReused: false,
      status: 'active',
      expiresAt: null,
      hits: 0,
      maxVisits: null,
      rules: [],
      startsAt: null,
      hideUntilStart: false,
      goneUrl: null,
      card: null,
      forwardQuery: false,
      customGtmId: null,
      tags: [],
      previousAliases: [],
      waitTimer: 0,
      created: '2026-11-20T12:00:00.000Z',
      modified: '2026-11-20T12:00:00.000Z',
      version: 1,
      authToken: expect.stringMatching(/^curt_[\w-]{43}$/),
      newAuthToken: data.authToken,
    });
  });

  test('a short URL on port 80 of localhost names no port', async () => {
    const service = await startService({ env: { BASE_URL: '', PORT: '80' } });
    const { data } = (await shorten(service, { originalUrl: 'example.com' })).json();
    expect(data.shortUrl).toBe(`http://localhost/${data.alias}`);
  });

  test('stores texts without white space and invisible characters around them', async () => {
    const service = await startService();
    const around = (text: string) => ` \u200b\u00a0${text}\u200f\ufeff\n`;
    const record = await makeLink(service, {
      originalUrl: around('https://example.com/page'),
      customAlias: around('Launch'),
      domain: around('s.example'),
      title: around('A  title'),
      label: around('Label'),
      description: around('Line one\n\nLine two'),
      tags: [around('news')],
      customGtmId: around('GTM-ABC1234'),
      startsAt: around('2027-01-01T00:00:00Z'),
      expiresAt: around('2027-02-01T00:00:00Z'),
      goneUrl: around('https://example.com/gone'),
      card: {
        title: around('Card'),
        description: around('About'),
        imageUrl: around('https://example.com/i.png'),
      },
      rules: [{ language: 'de', originalUrl: around('https://example.com/de') }],
    });
    expect(record).toMatchObject({
      originalUrl: 'https://example.com/page',
      customAlias: 'Launch',
      domain: 's.example',
      title: 'A  title',
      label: 'Label',
      description: 'Line one\n\nLine two',
      tags: ['news'],
      customGtmId: 'GTM-ABC1234',
      startsAt: '2027-01-01T00:00:00.000Z',
      expiresAt: '2027-02-01T00:00:00.000Z',
      goneUrl: 'https://example.com/gone',
      card: { title: 'Card', description: 'About', imageUrl: 'https://example.com/i.png' },
      rules: [{ language: 'de', originalUrl: 'https://example.com/de' }],
    });
  });

  test('says how large a number can be', async () => {
    const service = await startService();
    const { issues } = (
      await shorten(service, { originalUrl: 'example.com', maxVisits: 1e21 })
    ).json();
    expect(issues).toEqual([{ path: 'maxVisits', message: 'Must be at most 9007199254740991.' }]);
  });

  test('returns the QR code of the short URL as a PNG only if requested', async () => {
    const service = await startService();
    expect(await makeLink(service)).not.toHaveProperty('qrCode');
    expect(await makeLink(service, { generateQR: false })).not.toHaveProperty('qrCode');
    const { qrCode = '' } = await makeLink(service, { generateQR: true });
    const [, base64 = ''] = /^data:image\/png;base64,(.+)$/.exec(qrCode) ?? [];
    const png = Buffer.from(base64, 'base64');
    expect(png.subarray(1, 4).toString()).toBe('PNG');
  });

  test('never returns the password and stores only its argon2id hash', async () => {
    const service = await startService();
    const response = await shorten(service, {
      originalUrl: 'https://example.com',
      password: 'correct horse',
    });
    expect(response.body).not.toContain('correct horse');
    const { text } = await service.data.read();
    expect(text).not.toContain('correct horse');
    expect(text).toContain('$argon2id$');
  });
});

describe('originalUrl', () => {
  const shared = sharedService();

  test.each(['not-a-url', `${BASE_URL}/abc`, 'http://s.example/abc'])(
    '%j fails with 400 invalid_url',
    async (originalUrl) => {
      const service = shared();
      const response = await shorten(service, { originalUrl });
      expect(response.statusCode).toBe(400);
      expect(response.json()).toMatchObject({
        success: false,
        code: 'invalid_url',
        message: expect.any(String),
        issues: [{ path: 'originalUrl', message: expect.any(String) }],
      });
    },
  );
});

describe('customAlias', () => {
  const shared = sharedService();

  test('gets a 409 with three available suggestions if it is taken in any case', async () => {
    const service = await startService();
    await makeLink(service, { customAlias: 'Launch' });
    const response = await shorten(service, {
      originalUrl: 'https://example.com',
      customAlias: 'lAUNCH',
    });
    expect(response.statusCode).toBe(409);
    const { code, suggestions } = response.json();
    expect(code).toBe('alias_taken');
    expect(suggestions).toHaveLength(3);
    for (const customAlias of suggestions) await makeLink(service, { customAlias });
  });

  test.each(['API', 'export'])(
    'gets a 409 for the reserved word %j that says so, also with a password',
    async (customAlias) => {
      const service = shared();
      for (const password of [undefined, 'p']) {
        const response = await shorten(service, {
          originalUrl: 'https://example.com',
          customAlias,
          password,
        });
        expect(response.statusCode).toBe(409);
        expect(response.json()).toMatchObject({
          code: 'alias_taken',
          message: expect.stringContaining(`"${customAlias}" is reserved`),
        });
        expect(response.json().suggestions).toHaveLength(3);
      }
    },
  );

  test('can be a word that the server does not use', async () => {
    const service = await startService();
    for (const customAlias of ['login', 'admin', 'health', 'docs', 'null', 'constructor']) {
      expect((await makeLink(service, { customAlias })).alias).toBe(customAlias);
    }
  });

  test('is generated again if the first one is taken', async () => {
    // Bytes that generate one alias twice, then another.
    const fills = [0, 0, 1];
    const service = await startService({ randomBytes: aliasesOf(fills) });
    expect((await makeLink(service)).alias).toBe('2222222');
    expect((await makeLink(service)).alias).toBe('3333333');
  });

  test('is generated again if it collides with one that is still being written', async () => {
    // The same alias for the first two calls, and when the waiting one checks again.
    const fills = [0, 0, 0, 1];
    const service = await startService({ randomBytes: aliasesOf(fills) });
    const created = await Promise.all([makeLink(service), makeLink(service)]);
    expect(created.map(({ alias }) => alias).sort()).toEqual(['2222222', '3333333']);
  });
});

/** Bytes that make each generated alias of a single character; other random values are unique. */
function aliasesOf(fills: number[]): (size: number) => Buffer {
  return (size) => (size === 7 ? Buffer.alloc(7, fills.shift() ?? 2) : randomOf(size));
}

let next = 0;
function randomOf(size: number): Buffer {
  return Buffer.alloc(size, `${next++} differs `);
}

describe('expiry', () => {
  const shared = sharedService();

  test.each([
    [{ expiresInMinutes: 90 }, '2026-11-20T13:30:00.000Z'],
    [{ expiresInHours: 0.5 }, '2026-11-20T12:30:00.000Z'],
    [{ expiresInDays: 2 }, '2026-11-22T12:00:00.000Z'],
    [{ expiresAt: '2026-11-20T12:00:00.001Z' }, '2026-11-20T12:00:00.001Z'],
    [{ expiresInMinutes: 1e-9 }, '2026-11-20T12:00:00.001Z'],
    [{ expiresAt: '2126-11-20T12:00:00Z' }, '2126-11-20T12:00:00.000Z'],
    [{ expiresInDays: 36_525 }, '2126-11-21T12:00:00.000Z'],
  ])('%j sets the expiry to %s', async (expiry, expected) => {
    const service = shared();
    expect((await makeLink(service, expiry)).expiresAt).toBe(expected);
  });

  test.each([
    [{ expiresAt: '2026-11-20T12:00:00Z' }, 'expires_in_past'],
    [{ expiresAt: '2127-11-21T00:00:00Z' }, 'invalid_request'],
    [{ expiresInDays: 36_526 }, 'invalid_request'],
    [{ expiresInDays: 1e300 }, 'invalid_request'],
    [{ expiresInDays: 1, expiresInHours: 1 }, 'conflicting_expiry'],
  ])('%j fails with 400 %s', async (expiry, code) => {
    const service = shared();
    const response = await shorten(service, { originalUrl: 'https://example.com', ...expiry });
    expect(response.statusCode).toBe(400);
    expect(response.json()).toMatchObject({
      code,
      issues: [{ path: expect.stringContaining('expires') }],
    });
  });
});

describe('the other fields', () => {
  test('reports all invalid fields at once', async () => {
    const service = await startService();
    const response = await shorten(service, { originalUrl: 'nope', waitTimer: 301, titel: 'x' });
    expect(response.json().code).toBe('invalid_request');
    expect(
      response
        .json()
        .issues.map((issue: { path: string }) => issue.path)
        .sort(),
    ).toEqual(['originalUrl', 'titel', 'waitTimer']);
  });

  test('rejects customGtmId if CUSTOM_GTM is off', async () => {
    const service = await startService({ env: { CUSTOM_GTM: 'off' } });
    const response = await shorten(service, {
      originalUrl: 'https://example.com',
      customGtmId: 'GTM-ABCD',
    });
    expect(response.statusCode).toBe(400);
    expect(response.json().issues).toMatchObject([{ path: 'customGtmId' }]);
  });
});

describe('the body', () => {
  const shared = sharedService();

  test.each([
    ['', 'invalid_json'],
    ['{"__proto__":{}}', 'invalid_request'],
    ['{"originalUrl":"https://example.com","__proto__":{}}', 'invalid_request'],
    ['[]', 'invalid_request'],
  ])('%j fails with 400 %s', async (body, code) => {
    const service = shared();
    const response = await shorten(service, body);
    expect(response.statusCode).toBe(400);
    expect(response.json()).toMatchObject({ success: false, code });
  });

  test('gets at most 20 issues and the number of further ones', async () => {
    const service = await startService();
    const names = Array.from({ length: 6000 }, (_, i) => i.toString(36));
    const response = await shorten(service, Object.fromEntries(names.map((name) => [name, 1])));
    expect(response.statusCode).toBe(400);
    const { issues, message, code } = response.json();
    expect(code).toBe('invalid_request');
    expect(issues).toHaveLength(20);
    // Including the missing originalUrl.
    expect(message).toMatch(/ 5981 more issues are not listed\.$/);
    expect(response.body.length).toBeLessThan(5000);
  });

  test('with values of the wrong type gets clear messages', async () => {
    const service = await startService();
    expect((await shorten(service, '[]')).json().message).toBe('The body must be a JSON object.');
    expect((await shorten(service, '{"title":5,"generateQR":"yes"}')).json().issues).toEqual([
      { path: 'originalUrl', message: 'Is required.' },
      { path: 'title', message: 'Must be a string.' },
      { path: 'generateQR', message: 'Must be true or false.' },
    ]);
  });

  test('gets a 400 if it is not valid UTF-8', async () => {
    const service = await startService();
    const response = await service.app.inject({
      method: 'POST',
      url: '/api/shorten',
      headers: { 'content-type': 'application/json' },
      payload: Buffer.from('{"originalUrl":"https://example.com","title":"\xff"}', 'latin1'),
    });
    expect(response.statusCode).toBe(400);
    expect(response.json().code).toBe('invalid_json');
  });

  test('of more than 64 KiB gets a 413', async () => {
    const service = await startService();
    const response = await shorten(service, {
      originalUrl: 'https://example.com',
      description: 'd'.repeat(65_536),
    });
    expect(response.statusCode).toBe(413);
    expect(response.json().code).toBe('body_too_large');
  });
});

describe('accounts', () => {
  const shared = sharedService();

  test('creates the link in the account of a valid token', async () => {
    const service = await startService();
    const { authToken } = await makeLink(service);
    const second = await makeLink(service, {}, { token: authToken });
    expect(second.authToken).toBe(authToken);
    expect(second).not.toHaveProperty('newAuthToken');
    const account = await call(service, 'GET /api/account', { token: authToken });
    expect(account.json().data.links).toBe(2);
  });

  test('stores only the SHA-256 of a token', async () => {
    const service = await startService();
    const { authToken } = await makeLink(service);
    const { text, accounts } = await service.data.read();
    expect(text).not.toContain(authToken.slice(5));
    expect(accounts).toHaveLength(1);
  });

  test('takes an empty description for none, as an edit and an import do', async () => {
    const service = await startService();
    const sent = { customAlias: 'own', description: '' };
    const { authToken: token, description } = await makeLink(service, sent);
    expect(description).toBeNull();
    const edit = async (text: string) => {
      const body = { description: text };
      return (await call(service, 'PATCH /api/links/own', { body, token })).json().data;
    };
    expect(await edit('Text')).toMatchObject({ description: 'Text' });
    expect(await edit('')).toMatchObject({ description: null });
  });

  test('is the only one whose response has the token', async () => {
    const service = await startService();
    const { authToken: token } = await makeLink(service, { customAlias: 'own' });
    const calls = [
      ['GET', '/api/links'],
      ['GET', '/api/links/own'],
      ['PATCH', '/api/links/own', { title: 'Title' }],
      ['POST', '/api/links/batch', [{ originalUrl: 'https://example.com', generateQR: true }]],
      ['DELETE', '/api/links/own'],
      ['POST', '/api/links/own/restore'],
      ['GET', '/api/links/export?format=json'],
      ['DELETE', '/api/links/own?purge=true'],
    ] as const;
    for (const [method, url, payload] of calls) {
      const headers = { authorization: `Bearer ${token}` };
      const response = await service.app.inject({
        ...{ method, url, headers },
        ...(payload && { payload }),
      });
      expect(response.statusCode).toBe(200);
      expect(response.body).not.toMatch(/authToken|curt_/i);
    }
  });

  test.each([
    ['Bearer curt_unknown'],
    [`Bearer curt_${'A'.repeat(43)}`],
    ['Bearer'],
    ['Basic Y3VydDpjdXJ0'],
    [''],
  ])('Authorization: %j fails with 401 and creates nothing', async (authorization) => {
    const service = shared();
    const response = await shorten(
      service,
      { originalUrl: 'https://example.com', customAlias: 'mine' },
      { headers: { authorization } },
    );
    expect(response.statusCode).toBe(401);
    expect(response.json().code).toBe('invalid_token');
    expect(await service.store.findLink('mine')).toBeUndefined();
  });

  test('requires a token if ANONYMOUS is off', async () => {
    const service = await startService({ env: { ANONYMOUS: 'off' } });
    const response = await shorten(service, { originalUrl: 'https://example.com' });
    expect(response.statusCode).toBe(401);
    expect(response.json().code).toBe('token_required');
  });

  test('creates no account for a request that fails', async () => {
    const service = await startService();
    await makeLink(service, { customAlias: 'taken' });
    await shorten(service, { originalUrl: 'nope' });
    await shorten(service, { originalUrl: 'https://example.com', customAlias: 'taken' });
    const { accounts } = await service.data.read();
    expect(accounts).toHaveLength(1);
  });
});

describe('the order of checks', () => {
  test('is rate limit, 401, 415, 413, 400, 422, quota, 409', async () => {
    const service = await startService({
      env: { RATE_LIMIT_PER_MINUTE: '9', MONTHLY_QUOTA: '1' },
    });
    const key = 'a-key-of-16-characters';
    const bad = { 'content-type': 'text/plain', authorization: 'Bearer no' };
    const large = JSON.stringify({ description: 'd'.repeat(70_000) });
    const { authToken: token } = await makeLink(service, { customAlias: 'taken' });
    const statusOf = async (body: unknown, options: object) =>
      (await shorten(service, body, options)).statusCode;

    expect(await statusOf(large, { headers: bad })).toBe(401);
    expect(await statusOf(large, { token, headers: { 'content-type': 'text/plain' } })).toBe(415);
    expect(await statusOf(large, { token })).toBe(413);
    expect(await statusOf({ originalUrl: 'no', customAlias: 'taken' }, { token, key })).toBe(400);

    await service.clock.advance(15 * 86_400_000);
    const body = { originalUrl: 'https://example.com', customAlias: 'kept' };
    expect(await statusOf(body, { token, key })).toBe(200);
    const other = { originalUrl: 'https://example.com', customAlias: 'taken' };
    expect(await statusOf(other, { token, key })).toBe(422);
    expect(await statusOf({ ...other, expiresAt: '2020-01-01T00:00:00Z' }, { token, key })).toBe(
      400,
    );
    expect(await statusOf(other, { token })).toBe(429);
    await service.clock.advance(31 * 86_400_000);
    expect(await statusOf(other, { token })).toBe(409);
  });

  test('counts a request against the rate limit before any other check', async () => {
    const service = await startService({ env: { RATE_LIMIT_PER_MINUTE: '1' } });
    await shorten(service, '{', { headers: { 'content-type': 'text/plain' } });
    const response = await shorten(service, '{', { headers: { 'content-type': 'text/plain' } });
    expect(response.statusCode).toBe(429);
  });
});
