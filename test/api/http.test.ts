import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { errorBodySchema } from '../../shared/error-body.ts';
import { openConnection, readAll, statusesIn, talk } from './raw-http.ts';
import {
  call,
  makeLink,
  sharedService,
  shorten,
  startService,
  type TestService,
} from './support.ts';

const LINK = { originalUrl: 'https://example.com/private-target' };
/** Why data cannot be used that was taken away: no folder, connection terminated, connection refused. */
const CAUSE = /ENOENT|57P01|55000/;
const EXTENSION = 'chrome-extension://abcdefghijklmnopabcdefghijklmnop';

describe('GET /api/health/ready', () => {
  test('answers 503 while the store cannot write, and logs the reason', async () => {
    const { app, data, clock, logLines } = await startService();
    const ready = () => app.inject({ url: '/api/health/ready' });
    expect((await ready()).statusCode).toBe(200);
    expect((await ready()).json()).toMatchObject({ status: 'ok', service: 'curt' });
    await data.takeAway();
    try {
      await clock.advance(60_000);
      // A database confirmed a write a moment ago.
      await expect.poll(async () => (await ready()).statusCode).toBe(503);
      const response = await ready();
      expect(response.statusCode).toBe(503);
      expect(response.headers['retry-after']).toBe('5');
      expect(response.json()).toMatchObject({ success: false, code: 'store_unavailable' });
      expect(response.body).not.toMatch(CAUSE);
      expect((await app.inject({ url: '/api/health' })).statusCode).toBe(200);
    } finally {
      await data.bringBack();
    }
    const logged = logLines.map((line) => JSON.parse(line)).find(({ err }) => err);
    expect(logged.err).toMatchObject({
      type: 'StoreUnavailableError',
      cause: { code: expect.stringMatching(CAUSE) },
    });
    await clock.advance(5000);
    await expect.poll(async () => (await ready()).statusCode).toBe(200);
  });
});

describe('GET /api/health', () => {
  test('identifies the server as Curt, with its version and what short URLs start with', async () => {
    const { app } = await startService({ env: { BASE_URL: 'https://go.example' } });
    const response = await app.inject({ url: '/api/health' });
    expect(response.statusCode).toBe(200);
    expect(response.json()).toEqual({
      status: 'ok',
      service: 'curt',
      version: packageJson.version,
      serverId: expect.stringMatching(/^[\w-]{22}$/),
      baseUrl: 'https://go.example',
      hasContainers: true,
      hasCompat: true,
    });
  });
});

describe('every error response under /api', () => {
  const shared = sharedService();

  test.each([
    ['GET', '/api', 404, 'not_found'],
    ['GET', '/api/', 404, 'not_found'],
    ['GET', '/api/nothing', 404, 'not_found'],
    ['POST', '/api/nothing?x=1', 404, 'not_found'],
    ['GET', '/api/%zz', 404, 'not_found'],
    ['GET', '/api/shorten', 405, 'method_not_allowed'],
    ['PUT', '/api/shorten', 405, 'method_not_allowed'],
    ['PUT', '/api/account', 405, 'method_not_allowed'],
    ['POST', '/api/health', 405, 'method_not_allowed'],
    ['POST', '/api/health/ready', 405, 'method_not_allowed'],
    ['PROPFIND', '/api/shorten', 405, 'method_not_allowed'],
    ['GET', 'http://elsewhere.example/api/nothing', 404, 'not_found'],
    ['POST', '/%61pi/shorten', 415, 'unsupported_media_type'],
    ['GET', '/api/go', 404, 'not_found'],
    ['GET', '/api/qr.svg', 404, 'not_found'],
    ['GET', '/api/qr.png', 404, 'not_found'],
    ['GET', '/%61pi/go', 404, 'not_found'],
    ['GET', '/api//go', 404, 'not_found'],
    ['POST', '/api/x/api/shorten', 404, 'not_found'],
    ['GET', '/api/x/api/shorten', 404, 'not_found'],
    ['GET', '/api/shorten/api/shorten', 404, 'not_found'],
    ['GET', '/api/shorten/?x=1', 405, 'method_not_allowed'],
    ['PUT', '/api/short%65n?x=%zz', 405, 'method_not_allowed'],
    ['PURGE', '/api/nothing', 404, 'not_found'],
    ['PURGE', '/api', 404, 'not_found'],
  ] as const)('%s %s is JSON of one shape: %i %s', async (method, url, status, code) => {
    const { app } = shared();
    const response = await app.inject({ method, url, headers: { accept: 'text/html' } });
    expect(response.statusCode).toBe(status);
    expect(response.headers['content-type']).toMatch(/^application\/json/);
    expect(errorBodySchema.strict().parse(response.json()).code).toBe(code);
  });

  test.each(['/api/nothing', '/api', '/api/account'])(
    'is readable for extensions: %s',
    async (url) => {
      const { app } = shared();
      const response = await app.inject({ url, headers: { origin: EXTENSION } });
      expect(response.headers['access-control-allow-origin']).toBe(EXTENSION);
    },
  );

  test('lists the allowed methods with a 405', async () => {
    const { app } = await startService();
    const allow = async (url: string) => (await app.inject({ method: 'PUT', url })).headers.allow;
    expect(await allow('/api/shorten')).toBe('POST');
    expect(await allow('/api/account')).toBe('GET, HEAD, PATCH, DELETE');
    expect(await allow('/api/health/')).toBe('GET, HEAD');
    expect(await allow('/api/links/batch')).toBe('GET, HEAD, POST, PATCH, DELETE');
  });

  test('is a 405 or 404 without reading the body', async () => {
    const { app } = await startService();
    for (const url of ['/api/shorten', '/api/nothing']) {
      const response = await app.inject({
        method: 'PUT',
        url,
        headers: { 'content-type': 'application/json' },
        payload: `{${' '.repeat(100_000)}`,
      });
      expect(response.statusCode).toBe(url === '/api/shorten' ? 405 : 404);
    }
  });

  test('is a 413 that a client gets that sends all of its body before it reads', async () => {
    const { client } = await openConnection((await startService()).app);
    const size = 3_000_000;
    const requests = [
      'POST /api/shorten HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n',
      `content-length: ${size}\r\n\r\n${'x'.repeat(size)}`,
      'GET /api/health HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n',
    ];
    await new Promise((resolve) => client.write(requests.join(''), resolve));
    expect(statusesIn(await readAll(client))).toEqual([413, 200]);
  });

  test('is a 500 with the request id and without a stack trace for unexpected errors', async () => {
    const service = await startService();
    service.store.addLink = () => Promise.reject(new Error('broken at /some/path'));
    const response = await shorten(service, LINK);
    expect(response.statusCode).toBe(500);
    expect(response.json()).toMatchObject({ success: false, code: 'internal' });
    expect(response.json().message).toMatch(/request ID req-\w+/);
    expect(response.body).not.toContain('/some/path');
    expect(service.logLines.join('')).toContain('broken at /some/path');
  });

  test('is not sent for a created link whose quota cannot be read', async () => {
    const service = await startService();
    const { authToken: token } = await makeLink(service);
    const { addLink, countLinks } = service.store;
    service.store.addLink = async (...given) => {
      const outcome = await addLink.apply(service.store, given);
      service.store.countLinks = () => {
        throw new Error('broken at /some/path');
      };
      return outcome;
    };
    const created = await shorten(service, LINK, { token });
    expect(created.statusCode).toBe(200);
    expect(created.json().data.originalUrl).toBe(LINK.originalUrl);
    expect(created.headers['x-quota-remaining']).toBe('998');
    service.store.countLinks = countLinks;
  });

  test.each([
    ['patch /api/links/launch HTTP/1.1', 'capital letters'],
    ['GET /api/links?q=a b HTTP/1.1', '%20'],
    ['GET /straße HTTP/1.1', 'percent-encoded'],
  ])('says what is wrong with a request such as %s', async (line, hint) => {
    const answer = await talk(shared().app, `${line}\r\nhost: x\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain(hint);
  });

  test.each([
    ['what is not HTTP', 'this is not HTTP\r\n\r\n', 400],
    ['headers without end', `GET / HTTP/1.1\r\nhost: x\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    ['a method that nobody uses', 'QUERY /api/shorten HTTP/1.1\r\nhost: x\r\n\r\n', 405],
    ['a request without a Host', 'GET /api/health HTTP/1.1\r\n\r\n', 400],
    ['several Hosts', 'GET /api/health HTTP/1.1\r\nhost: x\r\nHost: y\r\n\r\n', 400],
    [
      'an unsupported expectation',
      'POST /api/shorten HTTP/1.1\r\nhost: x\r\nexpect: a-miracle\r\n\r\n',
      417,
    ],
  ])(
    'has the documented format for %s and is not logged as a server error',
    async (_, text, status) => {
      const { app, logLines } = shared();
      const answer = await talk(app, closing(text));
      expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
      expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n'))).success).toBe(false);
      expect(logLines.join('')).not.toMatch(/"level":[56]0/);
    },
  );
});

/** Closes the connection after the response. */
function closing(text: string): string {
  return text.replace('HTTP/1.1\r\n', 'HTTP/1.1\r\nconnection: close\r\n');
}

describe('every error response elsewhere', () => {
  const shared = sharedService();

  test.each([
    ['a request without a Host', 'GET / HTTP/1.1\r\n', 400],
    ['several Hosts', 'GET / HTTP/1.1\r\nhost: x\r\nHOST: x\r\n', 400],
    ['an unsupported expectation', 'GET / HTTP/1.1\r\nhost: x\r\nexpect: a-miracle\r\n', 417],
    ['a target without a host', 'GET http:///x HTTP/1.1\r\nhost: x\r\n', 404],
    ['a target that is a host alone', 'GET http:// HTTP/1.1\r\nhost: x\r\n', 404],
    ['a target of another protocol', 'GET ftp://x/y HTTP/1.1\r\nhost: x\r\n', 404],
    ['a target that is a star', 'GET * HTTP/1.1\r\nhost: x\r\n', 404],
    ['OPTIONS for the server', 'OPTIONS * HTTP/1.1\r\nhost: x\r\n', 404],
    ['a broken escape', 'GET /%ff HTTP/1.1\r\nhost: x\r\n', 404],
    ['an absolute target', 'GET http://x/nobody HTTP/1.1\r\nhost: x\r\n', 404],
  ])('is a page, or JSON if the client prefers it: %s', async (_, text, status) => {
    const { app } = shared();
    const page = await talk(app, closing(`${text}accept: text/html\r\n\r\n`));
    expect(page).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(page).toContain('content-type: text/html; charset=utf-8\r\n');
    expect(page).toMatch(/<h1>[^<]+<\/h1>/);
    const json = await talk(app, closing(`${text}accept: application/json\r\n\r\n`));
    expect(json).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    errorBodySchema.strict().parse(JSON.parse(json.slice(json.indexOf('\r\n\r\n'))));
  });

  test('is a 405 with the allowed methods for other methods, whether there is a link or not', async () => {
    const service = await startService();
    await makeLink(service, { customAlias: 'plain' });
    for (const method of ['OPTIONS', 'PUT', 'DELETE', 'PROPFIND'] as const) {
      const send = async (url: string) => {
        const response = await service.app.inject({ method, url, payload: '{"x": 1}' });
        expect(response.headers['content-type'], url).toMatch(/^text\/html/);
        return [response.statusCode, response.headers.allow];
      };
      for (const alias of ['plain', 'nobody']) {
        expect(await send(`/${alias}?x=1`)).toEqual([405, 'GET, HEAD, POST']);
        expect(await send(`/${alias}+`)).toEqual([405, 'GET, HEAD, POST']);
        expect(await send(`/${alias}/go`)).toEqual([405, 'GET, HEAD']);
        expect(await send(`/${alias}/qr.png`)).toEqual([405, 'GET, HEAD']);
      }
      expect(await send('/')).toEqual([405, 'GET, HEAD, POST']);
      expect(await send('/dashboard/account')).toEqual([405, 'GET, HEAD']);
      expect(await send('/plain/nothing')).toEqual([404, undefined]);
      // The path of CORS of a route with a pattern.
      expect(await send('/rest/x(^v[123]$)%')).toEqual([404, undefined]);
    }
  });

  test('does not require a Host header in HTTP/1.0', async () => {
    const { app } = await startService();
    expect(await talk(app, 'GET / HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /);
  });

  test('supports Expect: 100-continue', async () => {
    const { app } = await startService();
    const body = JSON.stringify(LINK);
    const answer = await talk(
      app,
      closing(
        `POST /api/shorten HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\nexpect: 100-Continue\r\n\r\n${body}`,
      ),
    );
    expect(statusesIn(answer)).toEqual([100, 200]);
  });
});

describe('stopping the server', () => {
  const STOP_GRACE_MS = 5000;

  test.each([
    'POST /api/shorten HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 500\r\n\r\n{',
    'GET / HTTP/1.1\r\nhost: x',
  ])('waits for a stalled client only for the grace period: %j', async (text) => {
    const { app, clock } = await startService();
    const address = new URL(await app.listen({ port: 0, host: '127.0.0.1' }));
    const socket = connect(Number(address.port), address.hostname);
    const ended = once(socket, 'close');
    socket.on('error', () => {});
    socket.write(text);
    await once(app.server, 'connection');
    // Resolves only once all connections are closed.
    const isWaiting = clock.waitFor(STOP_GRACE_MS);
    const closed = app.close();
    await isWaiting;
    await clock.advance(STOP_GRACE_MS);
    await closed;
    await ended;
  });
});

describe('CORS', () => {
  const onlyExtensions = sharedService();
  const oneOrigin = sharedService({ env: { CORS_ORIGINS: 'https://app.example' } });
  const subdomains = sharedService({ env: { CORS_ORIGINS: 'https://*.example.com' } });

  const preflight = ({ app }: TestService, origin: string) =>
    app.inject({
      method: 'OPTIONS',
      url: '/api/shorten',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type,idempotency-key',
      },
    });

  test.each([EXTENSION, 'moz-extension://0f0e0d0c-0b0a-0908-0706-050403020100'])(
    'allows %s with the necessary headers and without credentials',
    async (origin) => {
      const response = await preflight(onlyExtensions(), origin);
      expect(response.statusCode).toBe(204);
      expect(response.headers['access-control-allow-origin']).toBe(origin);
      expect(response.headers['access-control-allow-headers']).toBe(
        'authorization,content-type,idempotency-key',
      );
      expect(response.headers['access-control-allow-methods']).toBe('GET, POST, PATCH, DELETE');
      expect(response.headers).not.toHaveProperty('access-control-allow-credentials');
    },
  );

  test.each([
    'https://evil.example',
    'https://chrome-extension.example',
    'null',
    'https://app.example.evil.example',
  ])('does not allow %s', async (origin) => {
    const response = await preflight(oneOrigin(), origin);
    expect(response.headers).not.toHaveProperty('access-control-allow-origin');
  });

  test('allows the headers that an allowed origin asks for, such as those of tracing', async () => {
    const { app } = oneOrigin();
    const asked = 'authorization,baggage,if-match,sentry-trace,traceparent,x-api-key';
    const allowedFor = async (origin: string) => {
      const headers = {
        origin,
        'access-control-request-method': 'PATCH',
        'access-control-request-headers': asked,
      };
      const response = await app.inject({ method: 'OPTIONS', url: '/api/links/x', headers });
      return [
        response.headers['access-control-allow-origin'],
        response.headers['access-control-allow-headers'],
      ];
    };
    expect(await allowedFor('https://app.example')).toEqual(['https://app.example', asked]);
    expect(await allowedFor('https://evil.example')).not.toContain('https://evil.example');
  });

  test.each([
    ['https://a.example.com', true],
    ['https://a.b.example.com', true],
    ['https://example.com', false],
    ['http://a.example.com', false],
    ['https://a.example.com:8443', false],
    ['https://evilexample.com', false],
    ['https://a.example.com.evil.example', false],
    ['https://a.exampleXcom', false],
  ])('with a star in CORS_ORIGINS, subdomains are allowed: %s %s', async (origin, isAllowed) => {
    const service = subdomains();
    const response = await preflight(service, origin);
    expect(response.headers['access-control-allow-origin'] === origin).toBe(isAllowed);
    const headers = { origin, 'sec-fetch-site': 'cross-site' };
    const created = await shorten(service, LINK, { headers });
    expect(created.statusCode).toBe(isAllowed ? 200 : 403);
    expect(created.headers['access-control-allow-origin']).toBe(isAllowed ? origin : undefined);
  });

  test('allows the origins in CORS_ORIGINS', async () => {
    const env = { CORS_ORIGINS: 'https://other.example, https://app.example' };
    const response = await preflight(await startService({ env }), 'https://app.example');
    expect(response.headers['access-control-allow-origin']).toBe('https://app.example');
  });

  test.each(['app://-', 'capacitor://localhost', 'tauri://localhost'])(
    'allows an app in CORS_ORIGINS: %s',
    async (origin) => {
      const service = await startService({
        env: { CORS_ORIGINS: `https://other.example,${origin}` },
      });
      const response = await preflight(service, origin);
      expect(response.headers['access-control-allow-origin']).toBe(origin);
      // And it can follow a short link with `fetch`.
      const { alias } = await makeLink(service);
      const visit = await call(service, `GET /${alias}`, { headers: { origin } });
      expect(visit.statusCode).toBe(302);
      expect(visit.headers['access-control-allow-origin']).toBe(origin);
      const other = await call(service, `GET /${alias}`, {
        headers: { origin: 'https://x.example' },
      });
      expect(other.headers['access-control-allow-origin']).toBeUndefined();
      expect(other.headers.vary).toContain('Origin');
    },
  );

  test('exposes limit and quota headers to pages, also for errors', async () => {
    const service = await startService();
    const response = await shorten(service, '{', { headers: { origin: EXTENSION } });
    expect(response.statusCode).toBe(400);
    expect(response.headers['access-control-allow-origin']).toBe(EXTENSION);
    expect(response.headers['access-control-expose-headers']).toBe(
      'Content-Disposition, ETag, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, X-Quota-Limit, X-Quota-Remaining, X-Quota-Reset',
    );
  });

  test('answers preflight requests for every path', async () => {
    const { app } = await startService();
    const headers = { origin: EXTENSION, 'access-control-request-method': 'POST' };
    for (const url of ['/api', '/api/', '/api/nothing', '/api/go']) {
      const response = await app.inject({ method: 'OPTIONS', url, headers });
      expect(response.statusCode, url).toBe(204);
      expect(response.headers['access-control-allow-origin'], url).toBe(EXTENSION);
    }
  });

  test('does not count preflight requests against the rate limit', async () => {
    const service = await startService({ env: { RATE_LIMIT_PER_MINUTE: '1' } });
    await service.app.inject({
      method: 'OPTIONS',
      url: '/api/shorten',
      headers: { origin: EXTENSION, 'access-control-request-method': 'POST' },
    });
    expect((await shorten(service, LINK)).statusCode).toBe(200);
  });

  test('is not enabled for short links', async () => {
    const service = await startService();
    const { alias } = await makeLink(service);
    const response = await service.app.inject({
      url: `/${alias}`,
      headers: { origin: EXTENSION },
    });
    expect(response.statusCode).toBe(302);
    expect(response.headers).not.toHaveProperty('access-control-allow-origin');
  });
});

describe('the log', () => {
  test('never contains a token, password, target, alias, go-link or client address', async () => {
    const service = await startService({ env: { LOG_LEVEL: 'trace', LOG_REQUESTS: 'all' } });
    const { app } = service;
    const remoteAddress = '192.0.2.77';
    const password = 'the-password';
    const { authToken: token } = await makeLink(service, { customAlias: 'private-alias' });
    await makeLink(
      service,
      { ...LINK, customAlias: 'with-wait', waitTimer: 1, password },
      { token },
    );
    await shorten(service, { ...LINK, customAlias: 'private-alias' }, { token, remoteAddress });
    await shorten(service, '{"originalUrl":"https://example.com/private-target', { token });
    await app.inject({ url: '/private-alias', remoteAddress });
    await app.inject({ url: '/private-alias+' });
    await app.inject({ url: '/private-alias-unknown', remoteAddress });
    const preview = await app.inject({
      method: 'POST',
      url: '/with-wait',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: `password=${password}`,
      remoteAddress,
    });
    const goLink = /\/with-wait\/go\?t=[\w.-]+/.exec(preview.body)?.[0] ?? '';
    expect(goLink).not.toBe('');
    await app.inject({ url: goLink, remoteAddress });
    service.store.knownLink = () => undefined;
    service.store.findLink = () =>
      Promise.reject(Object.assign(new Error('a store that breaks'), { input: 'private-target' }));
    await app.inject({ url: '/private-alias', remoteAddress });

    await app.close();
    const log = service.logLines.join('');
    expect(log).toContain('"msg":"traffic"');
    expect(log).toContain('"route":"/api/shorten"');
    expect(log).toContain('"route":"/:alias"');
    expect(log).toContain('a store that breaks');
    for (const secret of [
      token.slice(5),
      password,
      'private-target',
      'private-alias',
      'with-wait',
      goLink.slice(-20),
      remoteAddress,
    ]) {
      expect(log).not.toContain(secret);
    }
  });
});

describe('a POST with a Content-Type and no body', () => {
  const send = (app: TestService['app'], path: string, type: string) =>
    talk(
      app,
      `POST ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: ${type}\r\n\r\n`,
    );

  test('has its answer from the API and from a short link', async () => {
    const service = await startService();
    await makeLink(service, { customAlias: 'plain' });
    const fromApi = await send(service.app, '/api/shorten', 'application/json');
    expect(statusesIn(fromApi)).toEqual([400]);
    expect(fromApi).toContain('"code":"invalid_json"');
    const form = 'application/x-www-form-urlencoded';
    expect(statusesIn(await send(service.app, '/plain', form))).toEqual([303]);
    expect(statusesIn(await send(service.app, '/plain', 'text/css'))).toEqual([415]);
    expect(statusesIn(await send(service.app, '/plain/x', 'application/json'))).toEqual([404]);
  });
});
