import { readFile } from 'node:fs/promises';
import { request as sendRequest } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ADMIN_ENDPOINTS } from '../../shared/api/admin-endpoints.ts';
import { createApiClient } from '../../shared/api/client.ts';
import { createClient } from '../../shared/client.ts';
import { startServer } from '../e2e/support/servers/server.ts';
import { accepts, prepareNginx } from '../support/nginx.ts';
import { expectLongestTargets, sendTo } from './support/longest-targets.ts';

const EXAMPLE = join(import.meta.dirname, '../../docs/examples/nginx.conf');
/** All of 127.0.0.0/8 is this machine, so nginx and each visitor have an address of their own. */
const NGINX = '127.0.0.9';
const [ADA, GRACE] = ['127.0.0.2', '127.0.0.3'];

const ADMIN_TOKEN = 'an-admin-token-of-32-characters!';

/** Curt behind the real nginx with the example, apart from its certificate and ports. */
async function startBehindNginx(env: Record<string, string>) {
  const nginx = await prepareNginx();
  onTestFinished(() => nginx.stop());
  const server = await startServer({ env: { BASE_URL: nginx.origin, ...env } });
  onTestFinished(async () => {
    await server.stop();
  });
  const example = await readFile(EXAMPLE, 'utf8');
  await nginx.start((socketPath) =>
    example
      .replace('listen 443 ssl;', `listen unix:${socketPath}; listen ${NGINX}:${nginx.port};`)
      .replace(/^ *(listen \[::\]|ssl_certificate).*\n/gm, '')
      .replace('127.0.0.1:2878', new URL(server.baseUrl).host.replace('localhost', '127.0.0.1')),
  );
  // It may accept connections on the socket a little earlier.
  await expect.poll(() => accepts({ port: nginx.port, host: NGINX })).toBe(true);
  const shorten = (from: string, headers = {}, originalUrl = 'https://example.com') =>
    new Promise<{ status: number; body: string }>((resolve, reject) => {
      const request = sendRequest(
        {
          host: NGINX,
          port: nginx.port,
          path: '/api/shorten',
          method: 'POST',
          localAddress: from,
          headers: { 'content-type': 'application/json', ...headers },
        },
        async (response) => {
          let body = '';
          for await (const chunk of response.setEncoding('utf8')) body += chunk;
          resolve({ status: response.statusCode ?? 0, body });
        },
      );
      request.on('error', reject);
      request.end(JSON.stringify({ originalUrl }));
    });
  const visit = (host: string, path: string, more = {}) =>
    new Promise<[status: number | undefined, location: string | undefined]>((resolve, reject) => {
      const options = { host: NGINX, port: nginx.port, path, headers: { host, ...more } };
      sendRequest(options, ({ statusCode, headers }) => resolve([statusCode, headers.location]))
        .on('error', reject)
        .end();
    });
  return { shorten, visit, server, origin: nginx.origin };
}

test('behind nginx, each visitor has limits of their own, whatever X-Forwarded-For they send', async () => {
  const { shorten, server } = await startBehindNginx({
    TRUST_PROXY: '127.0.0.1',
    RATE_LIMIT_PER_MINUTE: '1',
  });
  const statuses = [
    await shorten(ADA),
    await shorten(ADA),
    await shorten(ADA, { 'x-forwarded-for': '192.0.2.7' }),
    await shorten(GRACE),
  ].map(({ status }) => status);
  expect(statuses).toEqual([200, 429, 429, 200]);
  await server.stop();
  expect(server.lines.join('\n')).not.toContain('X-Forwarded-For is ignored');
});

test('behind nginx without TRUST_PROXY, all visitors are one, and the log says so', async () => {
  const { shorten, server } = await startBehindNginx({ RATE_LIMIT_PER_MINUTE: '1' });
  expect((await shorten(ADA)).status).toBe(200);
  expect((await shorten(GRACE)).status).toBe(429);
  await server.stop();
  expect(server.lines.join('\n')).toContain('X-Forwarded-For is ignored');
});

test('nginx leaves the limit on the size of a request to Curt', async () => {
  const { shorten } = await startBehindNginx({ TRUST_PROXY: '127.0.0.1' });
  const { status, body } = await shorten(ADA, {}, `https://example.com/${'a'.repeat(3_000_000)}`);
  expect([status, JSON.parse(body).code]).toEqual([413, 'body_too_large']);
});

test('behind nginx, one alias on two domains is two links, and the API is at BASE_URL only', async () => {
  const { visit, server } = await startBehindNginx({ TRUST_PROXY: '127.0.0.1', ADMIN_TOKEN });
  const { baseUrl } = server;
  const admin = createApiClient(ADMIN_ENDPOINTS, { baseUrl, token: ADMIN_TOKEN });
  for (const host of ['go.example.com', 'port.example.com:8443'])
    expect(await admin.adminAddDomain({ body: { host } })).toMatchObject({ ok: true });
  const { createLink } = createClient({ baseUrl });
  const first = { originalUrl: 'https://example.com/first', customAlias: 'sale' };
  const second = { ...first, originalUrl: 'https://example.com/second', domain: 'go.example.com' };
  const third = {
    ...first,
    originalUrl: 'https://example.com/port',
    domain: 'port.example.com:8443',
  };
  for (const body of [first, second, third])
    expect(await createLink({ body })).toMatchObject({ ok: true });
  expect(await visit('localhost', '/sale')).toEqual([302, 'https://example.com/first']);
  expect(await visit('go.example.com', '/sale')).toEqual([302, 'https://example.com/second']);
  expect(await visit('port.example.com:8443', '/sale')).toEqual([302, third.originalUrl]);
  const forwarded = { 'x-forwarded-host': 'go.example.com' };
  expect(await visit('localhost', '/sale', forwarded)).toEqual([302, 'https://example.com/first']);
  expect(await visit('other.example.com', '/sale')).toEqual([302, 'https://example.com/first']);
  expect(await visit('localhost', '/api/health')).toEqual([200, undefined]);
  // On this machine, health checks are answered at any host.
  const visitor = { 'x-forwarded-for': '192.0.2.7' };
  expect(await visit('go.example.com', '/api/health', visitor)).toEqual([404, undefined]);
});

test('behind nginx, the longest targets are reached', async () => {
  const { origin, server } = await startBehindNginx({ TRUST_PROXY: '127.0.0.1' });
  await expectLongestTargets(server.baseUrl, sendTo(origin));
});
