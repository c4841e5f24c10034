import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readAllPages } from '../../../shared/client/result.ts';
import { createClient } from '../../../shared/client.ts';
import { ERROR_CODES } from '../../../shared/errors.ts';
import type { CreatedLinkRecord } from '../../../shared/links/link-record.ts';
import { PLAIN_FIELDS, PLAIN_NAMES } from '../../../shared/links/plain-fields.ts';
import { ManualTime } from '../../support/manual-time.ts';
import { aLink } from '../extension/support/a-link.ts';

const TARGET = 'https://example.com/page';
const REQUEST = { originalUrl: TARGET, customAlias: 'Page' };
const TOKEN = `curt_${'t'.repeat(43)}`;
const KEY = 'c0ffee00-0000-4000-8000-000000000001';

const LINK = aLink({ shortUrl: 'https://s.example/Page', originalUrl: TARGET });
const RECORD: CreatedLinkRecord = {
  ...LINK,
  authToken: TOKEN,
  isReused: false,
};
const ACCOUNT = {
  name: '',
  created: '2026-11-20T12:00:00.000Z',
  domain: 's.example',
  links: 3,
  quota: { limit: 1000, used: 3, remaining: 997, resetsAt: '2026-12-01T00:00:00.000Z' },
  rate: { limit: 10, remaining: 9, resetsInSeconds: 42 },
  tokens: [],
};
const HEALTH = { status: 'ok', service: 'curt', version: '1.2.3' };

describe('the limits in the response headers', () => {
  const headers = {
    'ratelimit-limit': '10',
    'ratelimit-remaining': '3',
    'ratelimit-reset': '42',
    'x-quota-limit': '1000',
    'x-quota-remaining': '997',
    'x-quota-reset': '86400',
  };
  const limits = {
    rate: { limit: 10, remaining: 3, resetsInSeconds: 42 },
    quota: { limit: 1000, remaining: 997, resetsInSeconds: 86_400 },
  };

  test('are returned with a link', async () => {
    const body = { success: true, message: 'Ready.', data: RECORD };
    const { client } = await serve(json(200, body, headers));
    const result = await client.createLink({ body: REQUEST });
    expect(result).toEqual({ ok: true, data: RECORD, limits });
  });

  test('are returned with an error', async () => {
    const body = { success: false, message: 'No.', code: 'rate_limited' };
    const { client } = await serve(json(429, body, headers));
    expect(await client.createLink({ body: REQUEST })).toMatchObject({ limits });
  });

  test.each(['soon', '9'.repeat(300)])(
    'are omitted if they are missing, incomplete, not numbers, or longer than any of Curt: %s',
    async (reset) => {
      const body = { success: false, message: 'No.', code: 'rate_limited' };
      const { client } = await serve(json(429, body, { ...headers, 'ratelimit-reset': reset }));
      const result = await client.createLink({ body: REQUEST });
      expect(result).toMatchObject({ limits: { quota: limits.quota } });
      expect(result).not.toHaveProperty('limits.rate');
    },
  );
});

describe('a request', () => {
  test('to shorten is a POST of the request as JSON, with token and key unchanged', async () => {
    const { client, requests } = await serve(json(500, {}));
    await client.createLink({ body: REQUEST, token: TOKEN, idempotencyKey: KEY });
    expect(requests).toMatchObject([
      {
        method: 'POST',
        url: '/api/shorten',
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${TOKEN}`,
          'idempotency-key': KEY,
        },
      },
    ]);
    expect(JSON.parse(requests[0]?.body ?? '')).toEqual(REQUEST);
  });

  test('without token or key sends neither header', async () => {
    const { client, requests } = await serve(json(500, {}));
    await client.createLink({ body: REQUEST });
    await client.createLink({ body: REQUEST, token: undefined, idempotencyKey: undefined });
    await client.getHealth();
    expect(requests).toHaveLength(3);
    for (const { headers } of requests) {
      expect(headers).not.toHaveProperty('authorization');
      expect(headers).not.toHaveProperty('idempotency-key');
    }
  });

  test('with an empty ETag is not unconditional', async () => {
    const { client, requests } = await serve(json(500, {}));
    await client.editLink({ alias: 'a', token: TOKEN, ifMatch: '', body: {} });
    expect(requests).toMatchObject([{ headers: { 'if-match': '' } }]);
  });

  test('to account and health is a GET of their paths, regardless of the path of the base URL', async () => {
    const { origin, requests } = await serve(json(500, {}));
    const client = createClient({ baseUrl: `${origin}/some/path` });
    await client.getAccount({ token: TOKEN });
    await client.getHealth();
    expect(requests).toMatchObject([
      { method: 'GET', url: '/api/account', headers: { authorization: `Bearer ${TOKEN}` } },
      { method: 'GET', url: '/api/health' },
    ]);
  });

  test('uses no cookies, sends no referrer and is never cached', async () => {
    const { origin, requests } = await serve((_request, response) => {
      response.setHeader('set-cookie', 'session=1; Path=/');
      json(200, HEALTH)(_request, response);
    });
    const sent: Request[] = [];
    const client = createClient({
      baseUrl: origin,
      fetch: (input, init) => {
        sent.push(new Request(input as URL, init));
        return fetch(input, init);
      },
    });
    for (let call = 0; call < 2; call++) {
      expect(await client.getHealth()).toEqual({ ok: true, data: HEALTH });
    }
    expect(requests).toHaveLength(2);
    for (const { headers } of requests) expect(headers).not.toHaveProperty('cookie');
    for (const request of sent) {
      expect(request).toMatchObject({
        credentials: 'omit',
        referrerPolicy: 'no-referrer',
        cache: 'no-store',
        redirect: 'manual',
      });
    }
  });

  test('leaves the cache of a browser alone if it writes, so that it may remember the preflight', async () => {
    const { origin } = await serve(json(500, {}));
    const sent: Request[] = [];
    const client = createClient({
      baseUrl: origin,
      fetch: (input, init) => {
        sent.push(new Request(input as URL, init));
        return fetch(input, init);
      },
    });
    await client.createLink({ body: REQUEST });
    await client.editLink({ alias: 'a', token: TOKEN, body: {} });
    await client.deleteLink({ alias: 'a', token: TOKEN });
    expect(sent.map(({ method, cache }) => [method, cache])).toEqual([
      ['POST', 'default'],
      ['PATCH', 'default'],
      ['DELETE', 'default'],
    ]);
  });
});

describe('an error response', () => {
  test('is returned as data, with its issues, suggestions and Retry-After', async () => {
    const more = { issues: [{ path: 'originalUrl', message: 'Empty.' }], suggestions: ['Page-2'] };
    let code = '';
    const { client } = await serve((...given) => {
      json(
        409,
        { success: false, message: 'No.', code, ...more },
        { 'retry-after': '17' },
      )(...given);
    });
    for (code of ERROR_CODES) {
      const failure = { ok: false, status: 409, code, message: 'No.', retryAfterSeconds: 17 };
      expect(await client.createLink({ body: REQUEST })).toEqual({ ...failure, ...more });
    }
  });

  test('is a conflict also if the link in it is no link that this version can read', async () => {
    const body = { success: false, message: 'Edited.', code: 'version_mismatch' };
    const { client } = await serve(json(412, { ...body, current: { alias: 7 } }));
    const result = await client.editLink({ alias: 'a', token: TOKEN, body: {} });
    expect(result).toMatchObject({ ok: false, status: 412, code: 'version_mismatch' });
  });

  test.each([
    ['version_mismatch', LINK],
    ['alias_taken', undefined],
  ])('has the current link only after a conflict (%s)', async (code, current) => {
    const { client } = await serve(
      json(412, { success: false, message: 'No.', code, current: LINK }),
    );
    const result = await client.editLink({ alias: 'a', token: TOKEN, body: {} });
    expect(result).toHaveProperty('code', code);
    expect(result.ok || result.current).toEqual(current);
  });

  test.each(['Fri, 20 Nov 2026 12:00:00 GMT', '-5', '1e300', '9999999'])(
    'omits a Retry-After of %s, which is not in seconds or longer than any of Curt',
    async (retryAfter) => {
      const body = { success: false, message: 'Later.', code: 'store_unavailable' };
      const { client } = await serve(json(503, body, { 'retry-after': retryAfter }));
      const result = await client.createLink({ body: REQUEST });
      expect(result).toMatchObject({ status: 503, code: 'store_unavailable' });
      expect(result).not.toHaveProperty('retryAfterSeconds');
    },
  );
});

describe('a link of a server of another version', () => {
  const create = async (link: object) => {
    const { client } = await serve(json(200, { success: true, message: 'Ready.', data: link }));
    return client.createLink({ body: REQUEST });
  };

  test.each(PLAIN_NAMES)('has the default of %s if the server does not know it', async (name) => {
    const { [name]: _, ...older } = RECORD;
    const data = { ...RECORD, [name]: PLAIN_FIELDS[name].default };
    expect(await create(older)).toEqual({ ok: true, data });
  });

  test('is read without fields that the client does not know', async () => {
    const rule = { query: { name: 'src', isNew: true }, originalUrl: TARGET };
    const newer = {
      ...RECORD,
      isNew: { really: true },
      card: { title: 'A', isNew: 1 },
      rules: [rule],
    };
    const rules = [{ query: { name: 'src' }, originalUrl: TARGET }];
    const data = { ...RECORD, card: { title: 'A' }, rules };
    expect(await create(newer)).toEqual({ ok: true, data });
  });

  test('keeps conditions and values that the client does not know, as an edit sends all rules', async () => {
    const rules = [{ network: 'home', device: 'car', system: 'Car OS', originalUrl: TARGET }];
    expect(await create({ ...RECORD, rules })).toMatchObject({ ok: true, data: { rules } });
  });

  test('is inactive if the client does not know its status', async () => {
    expect(await create({ ...RECORD, status: 'archived' })).toMatchObject({
      ok: true,
      data: { status: 'inactive' },
    });
  });
});

describe('a response that is not from Curt is not_curt with its status:', () => {
  const page = '<!doctype html><title>Router</title><h1>Please sign in</h1>';
  const failure = { success: false, message: 'No.', code: 'alias_taken' };
  const { customAlias: _, ...incomplete } = RECORD;
  const record = (changed: Partial<CreatedLinkRecord>) => success({ ...RECORD, ...changed });

  test.each<[string, number, string]>([
    ['an HTML page', 200, page],
    ['an HTML error page', 404, page],
    ['an HTML page with status 500', 500, page],
    ['an empty body', 200, ''],
    ['a 204', 204, ''],
    ['another JSON', 200, '{"hello":"world"}'],
    ['another JSON error', 404, '{"error":"not found"}'],
    ['an array', 200, '[]'],
    ['null', 500, 'null'],
    ['a record with a missing field', 200, success(incomplete)],
    ['a record with an invalid short URL', 200, success({ ...RECORD, shortUrl: 'Page' })],
    ['a record with a script', 200, success({ ...RECORD, shortUrl: 'javascript:alert(1)' })],
    ['a record with a data URL', 200, success({ ...RECORD, shortUrl: 'data:text/html,x' })],
    [
      'a short URL whose path cannot be decoded',
      200,
      record({ shortUrl: 'https://s.example/%zz' }),
    ],
    ['a short URL with a user', 200, record({ shortUrl: 'https://s.example@evil.example/Page' })],
    ['a short URL with more than a path', 200, record({ shortUrl: 'https://s.example/Page?) x' })],
    ['a short URL with a longer path', 200, record({ shortUrl: 'https://s.example/a/b' })],
    ['a rule for no language', 200, record({ rules: [{ language: 'x_y!', originalUrl: TARGET }] })],
    ['a token that no header can have', 200, record({ newAuthToken: 'curt_a\nSet-Cookie: b' })],
    ['a token of 10 kB', 200, record({ newAuthToken: 't'.repeat(10_000) })],
    ['a target with a script', 200, success({ ...RECORD, originalUrl: 'javascript:alert(1)' })],
    ['a target of lines', 200, success({ ...RECORD, originalUrl: 'https://s.example/\nrm -rf' })],
    ['an error with status 200', 200, JSON.stringify(failure)],
    ['a success with status 500', 500, success(RECORD)],
    ['an error with an invalid code', 400, JSON.stringify({ ...failure, code: 5 })],
    ['JSON cut short', 200, success(RECORD).slice(0, -1)],
  ])('%s', async (_what, status, body) => {
    const { origin, client } = await serve((_request, response) => {
      response.writeHead(status).end(body);
    });
    const message = `${origin} responds, but it is not a Curt server.`;
    const outcome = { ok: false, code: 'not_curt', status, message };
    expect(await client.createLink({ body: REQUEST })).toEqual(outcome);
  });

  test('a page instead of a file', async () => {
    const { client } = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end(page);
    });
    const exported = await client.exportLinks({ token: TOKEN });
    expect(exported).toMatchObject({ ok: false, code: 'not_curt', status: 200 });
  });

  test.each([502, 503, 504, 522])(
    'except for the error page of a proxy (%i): gateway_error with its Retry-After',
    async (status) => {
      const { origin, client } = await serve((_request, response) => {
        response.writeHead(status, { 'retry-after': '30' }).end(page);
      });
      expect(await client.createLink({ body: REQUEST })).toEqual({
        ok: false,
        code: 'gateway_error',
        status,
        message: `A proxy responds for ${origin}, but the server behind it is unavailable.`,
        retryAfterSeconds: 30,
      });
    },
  );

  test.each([{ service: 'other' }, { version: '1'.repeat(10_000) }])(
    'the health check of another service: %j',
    async (changed) => {
      const { client } = await serve(json(200, { ...HEALTH, ...changed }));
      expect(await client.getHealth()).toMatchObject({
        code: 'not_curt',
      });
    },
  );

  test('an account whose limit resets at no date', async () => {
    const rate = { ...ACCOUNT.rate, resetsInSeconds: 1e300 };
    const { client } = await serve(json(200, JSON.parse(success({ ...ACCOUNT, rate }))));
    expect(await client.getAccount({ token: TOKEN })).toMatchObject({
      code: 'not_curt',
    });
  });

  test.each([301, 302, 303, 307, 308])(
    'except for a redirect (%i), which is not followed',
    async (status) => {
      const other = await serve(json(200, { success: true, message: 'Mine now.', data: RECORD }));
      const { client, requests } = await serve((_request, response) => {
        response.writeHead(status, { location: `${other.origin}/api/shorten` }).end();
      });
      const result = await client.createLink({ body: REQUEST, token: TOKEN });
      expect(result).toMatchObject({ ok: false, code: 'redirected' });
      expect(requests).toHaveLength(1);
      expect(other.requests).toEqual([]);
    },
  );

  test.each([
    ['https://other.example/api/shorten?a=1', 'redirects to https://other.example. Use that'],
    [
      '/login?rd=secret',
      'redirects to http://localhost:PORT/login. If that is a page for signing in',
    ],
    ['https://auth.example/?rd=x', 'redirects to https://auth.example/. If that is a page'],
    ['http://[', 'redirects to another address. Use that'],
  ])('except for a redirect to %s, which its message names', async (location, message) => {
    const { client, origin } = await serve((_request, response) => {
      response.writeHead(302, { location }).end();
    });
    const result = await client.createLink({ body: REQUEST, token: TOKEN });
    const expected = message.replace('http://localhost:PORT', origin);
    expect(result).toMatchObject({ message: expect.stringContaining(`${origin} ${expected}`) });
  });
});

describe('the code for a server that does not respond is', () => {
  test('timeout if it accepts the request but sends nothing', async () => {
    const time = new ManualTime();
    const { origin, requests } = await serve(() => time.advance(10_000));
    const client = createClient({ baseUrl: origin, time });
    expect(await client.createLink({ body: REQUEST })).toEqual({
      ok: false,
      code: 'timeout',
      message: `${origin} did not respond within 10 seconds.`,
    });
    expect(requests).toHaveLength(1);
  });

  test('timeout if it stops in the middle of the body', async () => {
    const time = new ManualTime();
    const { origin } = await serve((_request, response) => {
      response.writeHead(200).write('{"success":true,', () => time.advance(300));
    });
    const client = createClient({ baseUrl: origin, timeoutMs: 300, time });
    expect(await client.createLink({ body: REQUEST })).toMatchObject({
      ok: false,
      code: 'timeout',
    });
  });

  test('timeout if it sends an endless body slowly', async () => {
    const time = new ManualTime();
    const { origin } = await serve((_request, response) => {
      const drip = () => {
        time.advance(60);
        response.write(' ');
        if (!response.destroyed) setImmediate(drip);
      };
      drip();
    });
    const client = createClient({ baseUrl: origin, timeoutMs: 300, time });
    expect(await client.createLink({ body: REQUEST })).toMatchObject({
      ok: false,
      code: 'timeout',
    });
  });

  test('unreachable if nothing listens there', async () => {
    const { origin, client, stop } = await serve(json(200, HEALTH));
    await stop();
    expect(await client.getHealth()).toEqual({
      ok: false,
      code: 'unreachable',
      message: `${origin} cannot be reached.`,
    });
  });

  test('unreachable if it closes the connection immediately', async () => {
    const { client } = await serve((request) => request.socket.destroy());
    const result = await client.createLink({ body: REQUEST });
    expect(result).toMatchObject({ ok: false, code: 'unreachable' });
  });

  test.each<[string, Record<string, string>]>([
    ['of known length', { 'content-length': '1000' }],
    ['in chunks', {}],
  ])(
    'unreachable if it closes the connection in the middle of a body %s',
    async (_how, headers) => {
      const { client } = await serve((_request, response) => {
        response.writeHead(200, headers);
        response.write('{"success":true,', () => response.destroy());
      });
      const result = await client.createLink({ body: REQUEST });
      expect(result).toMatchObject({ ok: false, code: 'unreachable' });
    },
  );

  test('unreachable if its address is invalid', async () => {
    for (const baseUrl of ['', 'localhost', 'http://', 'nonsense://x']) {
      const result = await createClient({ baseUrl }).getHealth();
      expect(result, baseUrl).toMatchObject({ ok: false, code: 'unreachable' });
    }
  });
});

test('a file that ends too early is unreachable', async () => {
  const { client } = await serve((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/csv' }).write('<p>Hello</p>');
    setImmediate(() => response.destroy());
  });
  const exported = await client.exportLinks({ token: TOKEN });
  expect(exported).toMatchObject({ ok: false, code: 'unreachable' });
});

test('no method throws for any response, and all results can be cloned', async () => {
  let answer = { status: 200, body: '', retryAfter: '' };
  const { client } = await serve((_request, response) => {
    response.writeHead(answer.status, { 'retry-after': answer.retryAfter }).end(answer.body);
  });
  const failure = fc.record(
    {
      success: fc.constantFrom<unknown>(false, true, 0),
      message: fc.string(),
      code: fc.constantFrom<unknown>(...ERROR_CODES, 'teapot', null),
      issues: fc.jsonValue(),
      suggestions: fc.oneof(fc.array(fc.string()), fc.jsonValue()),
    },
    { requiredKeys: ['success', 'message', 'code'] },
  );
  const answers = fc.record({
    status: fc.integer({ min: 200, max: 599 }),
    body: fc.oneof(fc.string(), fc.json(), failure.map(success), failure.map(toJson)),
    retryAfter: fc.constantFrom('5', '0', '-1', 'soon', '1e400', 'NaN'),
  });
  await fc.assert(
    fc.asyncProperty(answers, async (next) => {
      answer = next;
      const result = await client.createLink({ body: REQUEST });
      expect(result.ok).toBe(false);
      expect(structuredClone(result)).toEqual(result);
    }),
    { numRuns: 200 },
  );
});

test.each<[{ timeZone?: string; shortUrl?: string }, object]>([
  [{}, { ok: true }],
  [{ timeZone: 'Bad/Zone' }, { ok: false, code: 'not_curt' }],
  [{ shortUrl: 'https://s.example/%zz' }, { ok: false, code: 'not_curt' }],
])(
  'statistics are read only if a page can show them: %j',
  async ({ timeZone = 'UTC', shortUrl = RECORD.shortUrl }, outcome) => {
    const none = { people: 0, uniquePeople: 0, previews: 0, bots: 0 };
    const [from, to] = [RECORD.created, '2026-11-21T12:00:00.000Z'];
    const tops = { referrers: [], browsers: [], systems: [], devices: [], countries: [] };
    const topLinks = [{ alias: 'Page', shortUrl, title: '', label: '', people: 1 }];
    const totals = { isRecording: true, totals: none, previous: none, series: [] };
    const report = { from, to, unit: 'day', timeZone, ...totals, ...tops, topLinks, otherLinks: 0 };
    const { client } = await serve(json(200, { success: true, message: '', data: report }));
    const result = await client.getStatistics({ token: TOKEN });
    expect(result).toMatchObject(outcome);
  },
);

describe('a server that sends too much', () => {
  const chunk = Buffer.alloc(64 * 1024, ' ');

  /** Sends without end, as fast as the client reads. */
  const endless: RequestListener = (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const send = () => {
      while (response.write(chunk));
    };
    response.on('drain', send);
    send();
  };

  test('is not_curt as soon as a body is larger than any of Curt, and its connection is closed', async () => {
    const closed = Promise.withResolvers<void>();
    const { origin } = await serve((request, response) => {
      response.on('close', closed.resolve);
      endless(request, response);
    });
    const client = createClient({ baseUrl: origin, time: new ManualTime() });
    expect(await client.getAccount({ token: TOKEN })).toMatchObject({
      ok: false,
      code: 'not_curt',
    });
    await closed.promise;
  });

  test('may send 4 MiB', async () => {
    const body = JSON.stringify({ success: true, message: 'Yours.', data: ACCOUNT });
    const { client } = await serve((_request, response) => {
      response.end(body.padEnd(4 * 1024 * 1024));
    });
    expect(await client.getAccount({ token: TOKEN })).toMatchObject({ ok: true });
  });

  test('has its message, issues and suggestions cut to what people can read', async () => {
    const long = 'x'.repeat(10_000);
    const issues = Array(1000).fill({ path: long, message: long });
    const suggestions = Array(50_000).fill('free').with(1, 'not an alias');
    const body = { success: false, message: long, code: 'alias_taken', suggestions };
    const { client } = await serve(json(409, { ...body, issues: issues.slice(0, 500) }));
    const failure = await client.createLink({ body: REQUEST });
    expect(failure).toMatchObject({ code: 'alias_taken', suggestions: ['free', 'free', 'free'] });
    expect(JSON.stringify(failure).length).toBeLessThan(250_000);
  });

  test('is not_curt if it repeats a cursor', async () => {
    let calls = 0;
    const result = await readAllPages(async () => {
      calls++;
      return { ok: true, data: { data: [RECORD], nextCursor: calls % 3 === 0 ? 'a' : 'b' } };
    });
    expect(result).toMatchObject({ ok: false, code: 'not_curt' });
    expect(calls).toBeLessThan(5);
  });

  test('is not_curt if a page has more links than were requested', async () => {
    const { client } = await serve(json(200, listPage(Array(101).fill(RECORD), null)));
    const result = await client.listLinks({ token: TOKEN });
    expect(result).toMatchObject({ ok: false, code: 'not_curt' });
  });

  test('is not_curt if its list has no end', async () => {
    let pages = 0;
    const result = await readAllPages(async () => {
      return { ok: true, data: { data: [RECORD], nextCursor: `${pages++}` } };
    });
    expect(result).toMatchObject({ ok: false, code: 'not_curt' });
    expect(pages).toBe(10_000);
  });
});

function listPage(data: unknown[], nextCursor: string | null) {
  return { success: true, message: 'Yours.', data, nextCursor };
}

type Received = { method: string; url: string; headers: IncomingMessage['headers']; body: string };

/** A real server on a free local port, closed after the test, and a client of it. */
async function serve(listener: RequestListener) {
  const requests: Received[] = [];
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    requests.push({ method, url, headers, body: await text(request) });
    listener(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  onTestFinished(stop);
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { origin, client: createClient({ baseUrl: origin }), requests, stop };
}

function json(status: number, body: unknown, headers = {}): RequestListener {
  return (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  };
}

function success(data: unknown): string {
  return JSON.stringify({ success: true, message: 'Ready.', data });
}

function toJson(value: unknown): string {
  return JSON.stringify(value);
}
