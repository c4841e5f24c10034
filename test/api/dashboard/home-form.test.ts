import { randomUUID } from 'node:crypto';
import { ServerResponse } from 'node:http';
import { expect, onTestFinished, test, vi } from 'vitest';
import { call, sharedService, shorten, startService, type TestService } from '../support.ts';

/** The page with the key. With another status than 200, Chromium does not keep it for who comes back. */
const CREATED = 201;

/** True of a key that was shown, and of one that was not. */
const KEY_SHOWN_ONCE =
  'The sign-in key is shown only once, right after the link is created, in the browser that created it.';

const OWN = { 'sec-fetch-site': 'same-origin' };

type FormOptions = { headers?: Record<string, string>; remoteAddress?: string };

/** Sends the form as a browser without JavaScript does, and opens the page to which it is redirected. */
async function submit(
  service: Pick<TestService, 'app'>,
  fields: Record<string, string>,
  options: FormOptions = {},
) {
  const response = await send(service, fields, options);
  return response.statusCode === 303 ? open(service, response.headers.location) : response;
}

const open = ({ app }: Pick<TestService, 'app'>, url = '', headers: Record<string, string> = OWN) =>
  app.inject({ url, headers: { accept: 'text/html', ...headers } });

async function send(
  { app }: Pick<TestService, 'app'>,
  fields: Record<string, string>,
  { headers = OWN, remoteAddress }: FormOptions = {},
) {
  return app.inject({
    method: 'POST',
    url: '/',
    headers: {
      accept: 'text/html',
      'content-type': 'application/x-www-form-urlencoded',
      ...headers,
    },
    payload: new URLSearchParams(fields).toString(),
    ...(remoteAddress && { remoteAddress }),
  });
}

const tokenIn = (html: string) => /value="(curt_[\w-]+)"/.exec(html)?.[1] ?? '';
const requestIdIn = (html: string) => /name="requestId" value="([\w-]+)"/.exec(html)?.[1] ?? '';
const shortUrlIn = (html: string) => /href="(https:\/\/s\.example\/\w+)"/.exec(html)?.[1] ?? '';

test('the form creates a link and an account, whose token the page shows', async () => {
  const service = await startService();
  const response = await submit(service, { originalUrl: 'example.com/a/page' });
  expect(response.statusCode).toBe(CREATED);
  expect(response.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'private, no-store',
  });
  const links = await call(service, 'GET /api/links', { token: tokenIn(response.body) });
  expect(links.json().data).toMatchObject([
    { originalUrl: 'https://example.com/a/page', shortUrl: shortUrlIn(response.body) },
  ]);
});

test('the page has the way to the dashboard only if there is one', async () => {
  const without = await submit(await startService(), { originalUrl: 'https://example.com' });
  expect(without.body).not.toContain('/dashboard');
  const service = await startService({ dashboard: new Map() });
  const withIt = await submit(service, { originalUrl: 'https://example.com' });
  expect(withIt.body).toMatch(/"\/dashboard#code=[\w-]{22}"/);
  expect(withIt.body).not.toContain(`dashboard#${tokenIn(withIt.body)}`);
});

const shared = sharedService();

test.each([
  ['', 'originalUrl'],
  ['mailto:someone@example.com', 'invalid_url'],
  ['<script>alert(1)</script>', 'invalid_url'],
])('a value that is no URL comes back with the reason: %j', async (originalUrl) => {
  const service = shared();
  const response = await submit(service, { originalUrl });
  expect(response.statusCode).toBe(400);
  expect(response.body).toContain('aria-invalid="true"');
  expect(response.body).not.toContain('<script>alert');
  const answer = await shorten(service, { originalUrl });
  expect(answer.statusCode).toBe(400);
});

test('a form that is sent twice creates one link', async () => {
  const service = await startService();
  const form = await service.app.inject({ url: '/' });
  const requestId = requestIdIn(form.body);
  const fields = { originalUrl: 'https://example.com/once', requestId };
  const [first, second] = await Promise.all([submit(service, fields), submit(service, fields)]);
  expect(tokenIn(first.body)).not.toBe('');
  expect(tokenIn(second.body)).toBe(tokenIn(first.body));
  expect(shortUrlIn(second.body)).toBe(shortUrlIn(first.body));
  const other = await submit(service, { ...fields, originalUrl: 'https://example.com/other' });
  expect(other.statusCode).toBe(CREATED);
  expect(shortUrlIn(other.body)).not.toBe(shortUrlIn(first.body));
});

test('the page of a new link shows no key to whom somebody else sends its address', async () => {
  const service = await startService({ dashboard: new Map() });
  const sent = await send(service, { originalUrl: 'https://example.com/lure' });
  const page = String(sent.headers.location);
  for (const site of ['cross-site', 'same-site', 'none']) {
    const { body } = await open(service, page, { 'sec-fetch-site': site });
    expect([tokenIn(body), body.includes('curt_')]).toEqual(['', false]);
    expect(body).toContain(KEY_SHOWN_ONCE);
  }
  expect(tokenIn((await open(service, page)).body)).not.toBe('');
});

test('the page of a new link shows the key once, and the link whenever it is opened', async () => {
  const service = await startService({ dashboard: new Map() });
  const fields = { originalUrl: 'https://example.com/once', requestId: randomUUID() };
  const { statusCode, headers, body } = await send(service, fields);
  expect(statusCode).toBe(303);
  const page = String(headers.location);
  // A program that only checks the address sees no key.
  await service.app.inject({ method: 'HEAD', url: page });
  const first = await open(service, page);
  const token = tokenIn(first.body);
  expect(token).not.toBe('');
  expect(`${page} ${body}`).not.toContain(token);
  for (const again of [page, `${page}=`, `${page}&lang=en`]) {
    const { body } = await open(service, again);
    expect(body).toContain(shortUrlIn(first.body));
    expect(body).not.toContain(token);
    expect(body).toContain(KEY_SHOWN_ONCE);
  }
  await service.clock.advance(10_000);
  expect((await submit(service, fields)).body).not.toContain(token);
});

/** Opens the page in a browser that goes away while the page is sent. */
async function openAndAbort(service: TestService, url: string) {
  const end = vi.spyOn(ServerResponse.prototype, 'end');
  onTestFinished(() => end.mockRestore());
  end.mockImplementationOnce(function (this: ServerResponse) {
    this.emit('close');
    return this;
  });
  await expect(open(service, url)).rejects.toThrow('response destroyed before completion');
  end.mockRestore();
}

test('a key whose page did not arrive is shown again, but none that was shown', async () => {
  const service = await startService();
  const sent = await send(service, { originalUrl: 'https://example.com/aborted' });
  const page = String(sent.headers.location);
  await openAndAbort(service, page);
  expect(tokenIn((await open(service, page)).body)).not.toBe('');
  await openAndAbort(service, page);
  expect(tokenIn((await open(service, page)).body)).toBe('');
});

test('a form that no page has sent is answered with the key, which its own page would not show', async () => {
  const service = await startService({ dashboard: new Map() });
  const fields = { originalUrl: 'https://example.com/none', requestId: randomUUID() };
  const headers = { 'sec-fetch-site': 'none' };
  const { statusCode, body } = await send(service, fields, { headers });
  expect(statusCode).toBe(CREATED);
  const token = tokenIn(body);
  const links = await call(service, 'GET /api/links', { token });
  expect(links.json().data).toMatchObject([{ shortUrl: shortUrlIn(body) }]);
  await service.clock.advance(10_000);
  const again = await send(service, fields, { headers });
  expect(shortUrlIn(again.body)).toBe(shortUrlIn(body));
  expect(again.body).not.toContain(token);
  expect(again.body).toContain(KEY_SHOWN_ONCE);
});

test.each(['', 'x', 'A'.repeat(200)])('another result opens the form: %j', async (created) => {
  const service = shared();
  const { statusCode, body } = await open(service, `/?created=${created}`);
  expect(statusCode).toBe(200);
  expect(requestIdIn(body)).not.toBe('');
});

test('the result of a link that was deleted opens the form', async () => {
  const service = await startService();
  const { headers } = await send(service, { originalUrl: 'https://example.com/deleted' });
  const page = String(headers.location);
  const { body } = await open(service, page);
  const alias = new URL(shortUrlIn(body)).pathname.slice(1);
  await call(service, `DELETE /api/links/${alias}`, { token: tokenIn(body) });
  expect(requestIdIn((await open(service, page)).body)).not.toBe('');
});

test('a form that is sent again after a lost response shows the key, but not later', async () => {
  const service = await startService({ dashboard: new Map() });
  const fields = { originalUrl: 'https://example.com/later', requestId: randomUUID() };
  const lost = await send(service, fields);
  await service.clock.advance(4 * 60_000);
  expect(tokenIn((await open(service, lost.headers.location)).body)).toBe('');
  const first = await submit(service, fields);
  const token = tokenIn(first.body);
  expect(token).not.toBe('');
  await service.clock.advance(2 * 60_000);
  const later = await submit(service, fields);
  expect(shortUrlIn(later.body)).toBe(shortUrlIn(first.body));
  expect(later.body).not.toContain(token);
  expect(later.body).toContain(KEY_SHOWN_ONCE);
});

test('after an error, the form keeps its id only if the link may be there already', async () => {
  const service = await startService();
  const requestId = randomUUID();
  const send = async (originalUrl: string) => {
    const { statusCode, body } = await submit(service, { originalUrl, requestId });
    return [statusCode, requestIdIn(body) === requestId];
  };
  expect(await send('nope')).toEqual([400, false]);
  await service.data.takeAway();
  try {
    expect(await send('https://example.com')).toEqual([503, true]);
  } finally {
    await service.data.bringBack();
  }
});

test('a form for a URL that only just fits is accepted', async () => {
  const service = await startService();
  const originalUrl = `https://example.com/${'ü'.repeat(8192 - 20)}`;
  const short = `https://example.com/${'a'.repeat(8192 - 20)}`;
  expect((await submit(service, { originalUrl: short })).statusCode).toBe(CREATED);
  // Percent-encoded it is longer than a URL may be, which the API says, too.
  expect((await submit(service, { originalUrl })).statusCode).toBe(400);
});

test('the form and the API share the rate limit', async () => {
  const service = await startService({ env: { RATE_LIMIT_PER_MINUTE: '2' } });
  expect((await submit(service, { originalUrl: 'https://example.com/1' })).statusCode).toBe(
    CREATED,
  );
  const second = await shorten(service, { originalUrl: 'https://example.com/2' });
  expect(second.headers['ratelimit-remaining']).toBe('0');
  const third = await submit(service, { originalUrl: 'https://example.com/3' });
  expect(third.statusCode).toBe(429);
  expect(third.headers['retry-after']).toBeDefined();
  expect((await shorten(service, { originalUrl: 'https://example.com/4' })).statusCode).toBe(429);
  await service.clock.advance(61_000);
  expect((await submit(service, { originalUrl: 'https://example.com/5' })).statusCode).toBe(
    CREATED,
  );
});

test('the form and the API share the limit of new accounts', async () => {
  const service = await startService({ env: { ANONYMOUS_PER_DAY: '2' } });
  expect((await shorten(service, { originalUrl: 'https://example.com/1' })).statusCode).toBe(200);
  expect((await submit(service, { originalUrl: 'https://example.com/2' })).statusCode).toBe(
    CREATED,
  );
  const third = await submit(service, { originalUrl: 'https://example.com/3' });
  expect(third.statusCode).toBe(429);
  expect(third.body).toContain('https://example.com/3');
});

test.each([
  ['another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
  ['another host of the same site', { 'sec-fetch-site': 'same-site' }],
  ['a sandboxed page', { 'sec-fetch-site': 'cross-site', origin: 'null' }],
  ['another site, from an old browser', { origin: 'https://evil.example' }],
  ['a sandboxed page, from an old browser', { origin: 'null' }],
])('a form of %s is refused before it counts', async (_, headers) => {
  const service = await startService({ env: { RATE_LIMIT_PER_MINUTE: '1' } });
  const fields = { originalUrl: 'https://example.com' };
  for (let attempt = 0; attempt < 3; attempt++) {
    const response = await submit(service, fields, { headers: headers as Record<string, string> });
    expect(response.statusCode).toBe(403);
    expect(response.body).toContain('copy the address of this page into a new tab');
  }
  expect((await submit(service, fields)).statusCode).toBe(CREATED);
});

test.each([
  ['the origin of BASE_URL', { origin: 'https://s.example' }],
  ['the host of the request', { origin: 'http://localhost:2878', host: 'localhost:2878' }],
  ['no origin, as from a program', {}],
])('a form from %s is accepted without Sec-Fetch-Site', async (_, headers) => {
  const service = shared();
  const fields = { originalUrl: 'https://example.com' };
  const response = await submit(service, fields, { headers: headers as Record<string, string> });
  expect(response.statusCode).toBe(CREATED);
});

test('the pages may send the form to this origin only, and say where it comes from', async () => {
  const service = await startService();
  const { headers } = await service.app.inject({ url: '/' });
  expect(headers['content-security-policy']).toContain("form-action 'self';");
  // With no-referrer, browsers would send "Origin: null".
  expect(headers['referrer-policy']).toBe('same-origin');
});

test('with ANONYMOUS=off, the home page has no form and says why', async () => {
  const service = await startService({ env: { ANONYMOUS: 'off' }, dashboard: new Map() });
  const page = await service.app.inject({ url: '/' });
  expect(page.body).not.toContain('<form');
  expect(page.body).toContain('Only people with an account can create links on this server.');
  expect(page.body).toContain('href="/dashboard"');
  const response = await submit(service, { originalUrl: 'https://example.com' });
  expect(response.statusCode).toBe(401);
});
