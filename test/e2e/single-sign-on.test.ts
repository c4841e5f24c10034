import { readFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, request as sendRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createClient } from '../../shared/client.ts';
import { prepareNginx } from '../support/nginx.ts';
import { launchChromium } from './support/browser/chromium.ts';
import { press, textOf } from './support/dashboard/dashboard-fixture.ts';
import { startAppServer } from './support/servers/app-server.ts';
import { startSite } from './support/servers/site.ts';

const DOCUMENT = join(import.meta.dirname, '../../docs/single-sign-on.md');
const FORGED = { 'x-forwarded-user': 'mallory' };
const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin' };

type Request = {
  method?: string;
  headers?: Record<string, string>;
  /** The address from which it is sent; all of 127.0.0.0/8 is this machine. */
  from?: string;
};

type Response = { status: number; headers: IncomingHttpHeaders; body: string };

/** Sends a request exactly as written: `fetch` would normalize the path. */
function send(port: string | number, path: string, options: Request = {}): Promise<Response> {
  const { method = 'GET', headers = {}, from = '127.0.0.1' } = options;
  return new Promise((resolve, reject) => {
    const request = sendRequest(
      { host: '127.0.0.1', port, path, method, localAddress: from, headers },
      async (response) => {
        let body = '';
        for await (const chunk of response.setEncoding('utf8')) body += chunk;
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body });
      },
    );
    request.on('error', reject);
    if (method === 'POST') {
      request.setHeader('content-type', 'application/json');
      request.write('{}');
    }
    request.end();
  });
}

/** In place of oauth2-proxy: the cookie `person` says who somebody is. */
async function startAuthServer() {
  const server = createServer((request, response) => {
    const person = /\bperson=([^;]+)/.exec(request.headers.cookie ?? '')?.[1];
    if (request.url?.startsWith('/oauth2/sign_in')) response.end('Who are you?');
    else if (person) response.writeHead(202, { 'x-auth-request-email': person }).end();
    else response.writeHead(401).end();
  });
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return (server.address() as AddressInfo).port;
}

/** Curt behind nginx with the configuration of the documentation. */
async function startBehindNginx() {
  const nginx = await prepareNginx();
  onTestFinished(() => nginx.stop());
  const authPort = await startAuthServer();
  const server = await startAppServer({
    env: {
      BASE_URL: nginx.origin,
      IDENTITY_HEADER: 'X-Forwarded-User',
      TRUST_PROXY: '127.0.0.1',
      ANONYMOUS: 'off',
    },
  });
  onTestFinished(async () => {
    await server.stop();
  });
  const curtPort = new URL(server.baseUrl).port;
  const [, block = ''] = /```nginx\n([\s\S]+?)```/.exec(await readFile(DOCUMENT, 'utf8')) ?? [];
  await nginx.start((socketPath) =>
    block
      .replace('listen 443 ssl;', `listen unix:${socketPath};`)
      .replaceAll('127.0.0.1:2878', `127.0.0.1:${curtPort}`)
      .replaceAll('127.0.0.1:4180', `127.0.0.1:${authPort}`),
  );
  return { origin: nginx.origin, port: nginx.port, curtPort };
}

describe('behind nginx with auth_request', () => {
  test('people get tokens of their own accounts, which work without the sign-in', async () => {
    const { origin, port } = await startBehindNginx();
    const tokenOf = async (person: string) => {
      const response = await send(port, '/api/identity/token', {
        method: 'POST',
        headers: { ...SAME_ORIGIN, cookie: `person=${person}` },
      });
      expect(response.status).toBe(200);
      return JSON.parse(response.body).data.token as string;
    };
    const [ada, again, grace] = [
      await tokenOf('ada@example.com'),
      await tokenOf('ada@example.com'),
      await tokenOf('grace@example.com'),
    ];
    const client = createClient({ baseUrl: origin });
    const created = await client.createLink({
      body: { originalUrl: 'https://example.com' },
      token: ada,
    });
    expect(created).toMatchObject({ ok: true });
    expect(await client.getAccount({ token: again })).toMatchObject({
      data: { name: 'ada@example.com', links: 1 },
    });
    expect(await client.getAccount({ token: grace })).toMatchObject({ data: { links: 0 } });
    const anonymous = await client.createLink({ body: { originalUrl: 'https://example.com' } });
    expect(anonymous).toMatchObject({ ok: false, code: 'token_required' });
  });

  test('a forged header is replaced, or removed, or leads to the sign-in', async () => {
    const { port } = await startBehindNginx();
    const signedIn = await send(port, '/api/identity', {
      headers: { ...FORGED, cookie: 'person=ada@example.com' },
    });
    expect(JSON.parse(signedIn.body).data.identity).toBe('ada@example.com');

    const paths = ['/api/identity', '/api/identity/token', '/dashboard', '/dashboard/links'];
    for (const path of paths) {
      const response = await send(port, path, { headers: FORGED });
      expect([path, response.status]).toEqual([path, 302]);
      expect(response.headers.location).toContain('/oauth2/sign_in?rd=');
    }
    const spellings = [
      ...['//api/identity/token', '/api//identity/token', '/api/./identity/token'],
      ...['/x/../api/identity/token', '/api/%69dentity/token', '/api%2Fidentity%2Ftoken'],
      ...['/API/IDENTITY/TOKEN', '/api/identity/token/', '/api/identity/token?x=1'],
      ...['/api/identity;x/token', '/api/identity%00/token', '/api/shorten', '/oauth2/auth'],
    ];
    for (const path of spellings) {
      const headers = { ...FORGED, ...SAME_ORIGIN };
      const response = await send(port, path, { method: 'POST', headers });
      expect([path, response.status >= 300], response.body).toEqual([path, true]);
      const read = await send(port, path.replace('/token', ''), { headers });
      expect(read.body).not.toContain('mallory');
    }
  });

  test('a header that reaches the server directly, from another address, is ignored', async () => {
    const { curtPort } = await startBehindNginx();
    const headers = { ...FORGED, ...SAME_ORIGIN, 'x-forwarded-for': '127.0.0.1' };
    const read = await send(curtPort, '/api/identity', { headers, from: '127.0.0.3' });
    expect(JSON.parse(read.body).data).toEqual({
      identity: null,
      hasAccount: false,
      isAdministrator: false,
    });
    const options = { method: 'POST', headers, from: '127.0.0.3' };
    const refused = await send(curtPort, '/api/identity/token', options);
    expect([refused.status, JSON.parse(refused.body).code]).toEqual([401, 'identity_required']);
    // From the proxy's address, the same request is believed.
    const trusted = await send(curtPort, '/api/identity', { headers });
    expect(JSON.parse(trusted.body).data.identity).toBe('mallory');
  });

  test('the dashboard leads to the sign-in, and opens the account after it', async () => {
    const [{ origin }, chromium] = await Promise.all([startBehindNginx(), launchChromium()]);
    onTestFinished(() => chromium.close());
    const page = await chromium.openPage(`${origin}/dashboard/account`);
    expect(await textOf(page)).toBe('Who are you?');
    expect(new URL(page.url()).searchParams.get('rd')).toBe('/dashboard/account');
    const cookie = { name: 'person', value: 'ada@example.com', domain: 'localhost', path: '/' };
    await chromium.browser.setCookie(cookie);
    await page.goto(`${origin}/dashboard/account`);
    await press(page, 'Continue as ada@example.com');
    await page.waitForSelector('nav');
    const tokens = () =>
      page.$$eval('.list-row strong', (names) => names.map((n) => n.textContent));
    await expect.poll(tokens).toEqual(['Dashboard']);
  });

  test('a page of the server can sign in, and no page of another site', async () => {
    const [{ origin }, chromium, site] = await Promise.all([
      startBehindNginx(),
      launchChromium(),
      startSite(),
    ]);
    onTestFinished(async () => {
      await chromium.close();
      await site.stop();
    });
    const cookie = { name: 'person', value: 'ada@example.com', domain: 'localhost', path: '/' };
    await chromium.browser.setCookie(cookie);
    const signIn = (server: string) =>
      fetch(`${server}/api/identity/token`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"name":"Dashboard"}',
        credentials: 'include',
      }).then(
        (response) => response.status,
        () => 'blocked',
      );
    const own = await chromium.openPage(`${origin}/api/health`);
    expect(await own.evaluate(signIn, origin)).toBe(200);
    const other = await chromium.openPage(`${site.origin}/page`);
    expect(await other.evaluate(signIn, origin)).toBe('blocked');
    const tokens = await own.evaluate(async () => {
      const response = await fetch('/api/identity/token', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{}',
      });
      const { data } = await response.json();
      const headers = { authorization: `Bearer ${data.token}` };
      const listed = await fetch('/api/account/tokens', { headers });
      return (await listed.json()).data.length as number;
    });
    expect(tokens).toBe(2);
  });
});
