import { readFile } from 'node:fs/promises';
import { request } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { TLSSocket } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { ADMIN_ENDPOINTS } from '../../shared/api/admin-endpoints.ts';
import { createApiClient } from '../../shared/api/client.ts';
import { createClient } from '../../shared/client.ts';
import { BROWSER } from '../api/visits/visiting.ts';
import { freePort } from '../e2e/support/servers/free-port.ts';
import { startServer } from '../e2e/support/servers/server.ts';
import { startCaddy } from '../support/caddy.ts';
import { type Answer, expectLongestTargets, type Send } from './support/longest-targets.ts';

const EXAMPLE = join(import.meta.dirname, '../../docs/examples/Caddyfile');
const ADMIN_TOKEN = 'an-admin-token-of-32-characters!';

type Visit = { status: number | undefined; names: string | undefined; location?: string };

/** Curt behind the real Caddy with the example, apart from its ports and who signs certificates. */
async function startBehindCaddy() {
  const server = await startServer({
    env: { BASE_URL: 'https://s.example.com', TRUST_PROXY: '127.0.0.1', ADMIN_TOKEN },
  });
  onTestFinished(async () => {
    await server.stop();
  });
  const port = await freePort();
  const address = new URL(server.baseUrl).host.replace('localhost', '127.0.0.1');
  const example = await readFile(EXAMPLE, 'utf8');
  const ca = await startCaddy(example.replaceAll('127.0.0.1:2878', address), port);
  /** A new connection each time, as of a new visitor. */
  const visit = (host: string, path: string) =>
    new Promise<Visit>((resolve, reject) => {
      const options = { host: '127.0.0.1', port, servername: host, ca, agent: false } as const;
      const visiting = request({ ...options, path, headers: { host } }, (response) => {
        const certificate = (response.socket as TLSSocket).getPeerCertificate();
        const { location } = response.headers;
        const names = certificate.subjectaltname;
        resolve({ status: response.statusCode, names, ...(location && { location }) });
        response.resume();
      });
      visiting.on('error', reject).end();
    });
  const send: Send = (path, form) =>
    new Promise<Answer>((resolve, reject) => {
      const host = 's.example.com';
      const type = { 'content-type': 'application/x-www-form-urlencoded' };
      const options = { host: '127.0.0.1', port, servername: host, ca, agent: false } as const;
      const method = form === undefined ? 'GET' : 'POST';
      const headers = { host, 'user-agent': BROWSER, ...(form !== undefined && type) };
      request({ ...options, path, method, headers }, async (response) => {
        const { statusCode: status } = response;
        resolve({ status, location: response.headers.location, body: await text(response) });
      })
        .on('error', reject)
        .end(form);
    });
  return { server, visit, send };
}

test('behind Caddy, a domain has HTTPS as soon as it is added, and no other host has it', async () => {
  const { server, visit } = await startBehindCaddy();
  const admin = createApiClient(ADMIN_ENDPOINTS, { baseUrl: server.baseUrl, token: ADMIN_TOKEN });
  // Caddy accepts connections before it has this certificate.
  await expect
    .poll(() => visit('s.example.com', '/api/health'))
    .toEqual({ status: 200, names: 'DNS:s.example.com' });
  await expect(visit('go.example', '/robots.txt')).rejects.toThrow(/alert/);
  expect(await admin.adminAddDomain({ body: { host: 'go.example' } })).toMatchObject({ ok: true });
  const target = { originalUrl: 'https://example.com/target', customAlias: 'sale' };
  const link = await createClient(server).createLink({ body: { ...target, domain: 'go.example' } });
  expect(link).toMatchObject({ data: { shortUrl: 'https://go.example/sale' } });
  expect(await visit('go.example', '/sale')).toEqual({
    status: 302,
    location: 'https://example.com/target',
    names: 'DNS:go.example',
  });
  expect((await visit('s.example.com', '/sale')).status).toBe(404);
  await expect(visit('other.example', '/robots.txt')).rejects.toThrow(/alert/);
});

test('behind Caddy, the longest targets are reached', async () => {
  const { server, visit, send } = await startBehindCaddy();
  await expect.poll(async () => (await visit('s.example.com', '/api/health')).status).toBe(200);
  await expectLongestTargets(server.baseUrl, send);
});
