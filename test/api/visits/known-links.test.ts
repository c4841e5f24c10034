import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { LinkChanges } from '../../../server/store/link-calls.ts';
import { domainOf } from '../../store/contract/domains.ts';
import { editOf, targetOf } from '../../store/contract.ts';
import { openConnection, readAll, statusesIn } from '../raw-http.ts';
import { makeLink, startService, type TestService } from '../support.ts';
import { addLink, BROWSER } from './visiting.ts';

const BOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';
const TARGET = 'https://example.com/a?b=c#d';

type Head = { method?: string; version?: string; headers?: string[]; body?: string };

/** A request, sent over a connection of its own; and everything that comes back. */
async function send({ app }: TestService, target: string, head: Head = {}): Promise<string> {
  const { method = 'GET', version = '1.1', headers = browserHeaders(), body = '' } = head;
  const { client } = await openConnection(app);
  client.end(`${method} ${target} HTTP/${version}\r\n${headers.join('\r\n')}\r\n\r\n${body}`);
  return readAll(client);
}

function browserHeaders(...more: string[]): string[] {
  return ['Host: s.example', `User-Agent: ${BROWSER}`, ...more];
}

const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d+) /.exec(answer)?.[1]);
const locationOf = (answer: string) => /^location: (.*)\r$/m.exec(answer)?.[1];
const withoutDate = (answer: string) => answer.replace(/^Date: .*$/gm, '');

async function edit({ store }: TestService, alias: string, changes: LinkChanges): Promise<void> {
  const link = await store.findLink(alias);
  if (!link) throw new Error(`there is no link ${alias}`);
  expect(await store.editLink(editOf(link, changes))).toMatchObject({ kind: 'edited' });
}

async function hitsOf({ store }: TestService, alias: string): Promise<number | undefined> {
  return (await store.findLink(alias))?.hits;
}

async function startVisited(env: Record<string, string> = {}): Promise<TestService> {
  const service = await startService({ env });
  await makeLink(service, { customAlias: 'plain', originalUrl: TARGET });
  expect(locationOf(await send(service, '/plain'))).toBe(TARGET);
  return service;
}

describe('a visit of a plain link that is in memory', () => {
  test.each([
    ['with one domain', [], '127.0.0.1,10.0.0.0/8'],
    ['with several domains', ['go.example'], '127.0.0.1,10.0.0.0/8'],
    ['not from a trusted proxy', ['go.example'], '10.0.0.0/8'],
  ])(
    'is answered byte for byte as if the link were not in memory, whatever the request, %s',
    async (_, hosts, TRUST_PROXY) => {
      const service = await startService({ env: { UNKNOWN_PER_MINUTE: '1000000', TRUST_PROXY } });
      for (const host of hosts) {
        await service.store.administration.addDomain(domainOf(host));
        await addLink(service, {
          alias: `${host}/plain-1`,
          originalUrl: `https://${host}.example/`,
        });
      }
      await makeLink(service, { customAlias: 'Plain-1', originalUrl: TARGET });
      await makeLink(service, { customAlias: 'secret', password: 'password' });
      await makeLink(service, { customAlias: 'waits', waitTimer: 5 });
      await addLink(service, { alias: 'off', isActive: false });
      await addLink(service, { alias: 'forwards', originalUrl: TARGET, forwardQuery: true });
      const { store } = service;
      const knownLink = store.knownLink.bind(store);
      await fc.assert(
        fc.asyncProperty(anyTarget, anyHead, async (target, head) => {
          const visit = async () => {
            const hits = await hitsOf(service, 'plain-1');
            const answer = withoutDate(await send(service, target, head));
            return { answer, counted: ((await hitsOf(service, 'plain-1')) ?? 0) - (hits ?? 0) };
          };
          store.knownLink = () => undefined;
          const lookedUp = await visit();
          store.knownLink = knownLink;
          expect(await visit()).toEqual(lookedUp);
        }),
        { numRuns: 200 },
      );
    },
    60_000,
  );

  test('finds what an edit changed', async () => {
    const service = await startVisited();
    await edit(service, 'plain', targetOf('https://example.com/elsewhere'));
    expect(locationOf(await send(service, '/plain'))).toBe('https://example.com/elsewhere');
    expect(locationOf(await send(service, '/plain'))).toBe('https://example.com/elsewhere');
    await edit(service, 'plain', { waitTimer: 5 });
    expect(statusOf(await send(service, '/plain'))).toBe(200);
    await edit(service, 'plain', { waitTimer: 0 });
    expect(statusOf(await send(service, '/plain'))).toBe(302);
    await edit(service, 'plain', { isActive: false });
    expect(statusOf(await send(service, '/plain'))).toBe(410);
    await edit(service, 'plain', { isActive: true, expiresAt: service.clock.now() });
    expect(statusOf(await send(service, '/plain'))).toBe(410);
    await edit(service, 'plain', { expiresAt: null, alias: 'moved' });
    expect(statusOf(await send(service, '/plain'))).toBe(302);
    expect(statusOf(await send(service, '/moved'))).toBe(302);
    await edit(service, 'moved', { previousAliases: [] });
    expect(statusOf(await send(service, '/plain'))).toBe(404);
  });

  test('finds an edit that was made while an earlier one was looked up', async () => {
    const service = await startService();
    await makeLink(service, { customAlias: 'plain', originalUrl: TARGET });
    const { store } = service;
    const findLink = store.findLink.bind(store);
    const knownLink = store.knownLink.bind(store);
    store.knownLink = () => undefined;
    store.findLink = async (alias) => {
      const link = await findLink(alias);
      store.findLink = findLink;
      await edit(service, 'plain', targetOf('https://example.com/elsewhere'));
      store.knownLink = knownLink;
      return link;
    };
    expect(locationOf(await send(service, '/plain'))).toBe(TARGET);
    expect(locationOf(await send(service, '/plain'))).toBe('https://example.com/elsewhere');
  });

  test('says `Connection: close` once the server stops', async () => {
    const service = await startVisited();
    const { client, server } = await openConnection(service.app);
    // A request under way, so that its connection stays open.
    client.write(`GET /plain HTTP/1.1\r\nHost: s.example\r\n`);
    await expect.poll(() => server.bytesRead).toBeGreaterThan(0);
    const closed = service.app.close();
    client.write(`User-Agent: ${BROWSER}\r\n\r\n`);
    const answer = await readAll(client);
    await closed;
    expect(statusOf(answer)).toBe(302);
    expect(answer).toMatch(/^connection: close\r$/im);
  });
});

describe('pipelined visits of such a link', () => {
  const VISIT = `GET /plain HTTP/1.1\r\n${browserHeaders().join('\r\n')}\r\n\r\n`;

  test('are limited: one is answered at once, and 32 may wait', async () => {
    const service = await startVisited();
    const { client } = await openConnection(service.app);
    client.write(VISIT.repeat(1500));
    const answer = await readAll(client);
    expect(statusesIn(answer)).toEqual(Array(33).fill(302));
    expect(answer.match(/^connection: close\r$/gim)).toHaveLength(1);
    expect(answer.slice(answer.lastIndexOf('HTTP/1.1'))).toMatch(/^connection: close\r$/im);
    // One was the visit of `startVisited`.
    expect(await hitsOf(service, 'plain')).toBe(1 + 33);
  });
});

/** Each part of a request is as usual most of the time, so that often all of them are. */
function mostly<T>(usual: T, ...others: T[]): fc.Arbitrary<T> {
  return fc.oneof(
    { weight: 8, arbitrary: fc.constant(usual) },
    { weight: 2, arbitrary: fc.constantFrom(...others) },
  );
}

const anyTarget = fc
  .tuple(
    mostly('/', '//', '/./', 'http://s.example/', '', '/go.example/', '/go.example%2F'),
    fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom('Plain-1', 'plain-1', 'PLAIN-1') },
      { weight: 2, arbitrary: fc.constant('forwards') },
      { weight: 1, arbitrary: fc.constantFrom('%50lain-1', 'plain%2D1', 'plain-1%', 'plain-1%00') },
      {
        weight: 1,
        arbitrary: fc.constantFrom(
          'unknown',
          'secret',
          'waits',
          'off',
          'api',
          'API',
          'favicon.ico',
        ),
      },
    ),
    mostly('', '+', '/', '//', '/go', '/qr.svg', '%2B', '%20', ';x', '#x'),
    fc.constantFrom('', '', '?', '?x=1', '?a=%zz', '?a#b', '?x=/', '??'),
  )
  .map((parts) => parts.join(''));

const ODD_HEADERS = [
  'Accept: application/json',
  'Accept: text/html',
  'Accept-Version: 1.0',
  'Cookie: a=b',
  'Connection: close',
  'Connection: keep-alive',
  'Connection: upgrade',
  'Content-Type: application/json',
  'Expect: 100-continue',
  'Expect: nothing',
  'If-None-Match: *',
  'Purpose: prefetch',
  'X-Forwarded-Host: go.example',
  'X-Forwarded-Host: go.example, s.example',
  'Range: bytes=0-1',
  'Sec-Fetch-Site: cross-site',
  'Sec-Purpose: prefetch;prerender',
  'Upgrade: websocket',
  'X-Forwarded-For: 198.51.100.7',
  'X-Forwarded-For: 198.51.100.7, 10.0.0.1',
  'X-Forwarded-For: no address',
  'X-Forwarded-For:',
  'X-Forwarded-Host: other.example',
  'X-HTTP-Method-Override: DELETE',
  'X-Moz: prefetch',
];

const anyHead: fc.Arbitrary<Head> = fc
  .record({
    method: mostly('GET', 'HEAD', 'HEAD', 'POST', 'OPTIONS', 'PUT'),
    version: mostly('1.1', '1.0'),
    host: mostly(
      ['Host: s.example'],
      ['host: other'],
      ['Host: go.example'],
      ['Host: GO.example:8080'],
      ['Host:'],
      [],
    ),
    agent: mostly([`User-Agent: ${BROWSER}`], [`User-Agent: ${BOT}`], ['User-Agent:'], []),
    others: fc.subarray(ODD_HEADERS, { maxLength: 3 }),
    body: mostly(
      { headers: [], body: '' },
      { headers: ['Content-Length: 0'], body: '' },
      { headers: ['Content-Length: 3'], body: 'a=b' },
      { headers: ['Transfer-Encoding: chunked'], body: '3\r\na=b\r\n0\r\n\r\n' },
    ),
  })
  .map(({ method, version, host, agent, others, body }) => ({
    method,
    version,
    headers: [...host, ...agent, ...others, ...body.headers],
    body: body.body,
  }));
