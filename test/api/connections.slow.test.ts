import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { FastifyInstance } from 'fastify';
import { describe, expect, test } from 'vitest';
import { Traffic } from '../../server/metrics/traffic.ts';
import { type Connection, openConnection, readAll, statusesIn, talk } from './raw-http.ts';
import { makeLink, startService, type TestService } from './support.ts';

const HEALTH = 'GET /api/health HTTP/1.1\r\nHost: x\r\n\r\n';
const STYLES = 'GET /assets/curt.css HTTP/1.1\r\nHost: x\r\n\r\n';
const UNANSWERED_MAX = 32;
/** How long a client has to read an error. */
const LINGER_MS = 1000;
const CHECK_MS = 5000;

describe('pipelined requests', () => {
  test('are limited to 32 unanswered ones, then the connection is closed', async () => {
    const { app, logLines } = await startService({ env: { LOG_REQUESTS: 'all' } });
    const answer = await talk(app, HEALTH.repeat(1500));
    expect(statusesIn(answer)).toEqual(Array(UNANSWERED_MAX).fill(200));
    expect(answer.match(/^connection: close\r$/gim)).toHaveLength(1);
    expect(answer.slice(answer.lastIndexOf('HTTP/1.1'))).toMatch(/^connection: close\r$/im);
    expect(answered(logLines)).toBe(UNANSWERED_MAX);
  });

  test('are all answered in order below the limit', async () => {
    const { app } = await startService();
    const { client } = await openConnection(app);
    client.write(`${HEALTH.repeat(UNANSWERED_MAX - 2)}${STYLES}`);
    let answer = '';
    client.setEncoding('utf8').on('data', (chunk: string) => {
      answer += chunk;
    });
    await expect.poll(() => statusesIn(answer).length).toBe(UNANSWERED_MAX - 1);
    expect(answer.lastIndexOf('text/css')).toBeGreaterThan(answer.lastIndexOf('"service":"curt"'));
    // The connection stays open for more.
    client.write(HEALTH);
    await expect.poll(() => statusesIn(answer).length).toBe(UNANSWERED_MAX);
  });

  test('do not limit the number of sequential requests', async () => {
    const { app } = await startService();
    const { client } = await openConnection(app);
    for (let i = 0; i < 3 * UNANSWERED_MAX; i++) {
      client.write(HEALTH);
      const [chunk] = await once(client, 'data');
      expect(statusesIn(String(chunk))).toEqual([200]);
    }
  });

  test('wait until the response to the one before has been sent', async () => {
    const service = await startService();
    const { promise, resolve } = Promise.withResolvers<undefined>();
    let begun = 0;
    service.store.findLink = () => {
      begun++;
      return promise;
    };
    const { client } = await openConnection(service.app);
    client.end('GET /held HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(3));
    const answer = readAll(client);
    await expect.poll(() => begun).toBe(1);
    // Those of another connection don't wait.
    const last = HEALTH.replace('Host: x', 'Host: x\r\nConnection: close');
    expect(statusesIn(await talk(service.app, last))).toEqual([200]);
    expect(begun).toBe(1);
    resolve(undefined);
    expect(statusesIn(await answer)).toEqual([404, 404, 404]);
    expect(begun).toBe(3);
  });

  test('close the connection if too many arrive while none is answered', async () => {
    const service = await startService();
    const handled = holdLookups(service);
    const { client, server } = await openConnection(service.app);
    const closed = once(server, 'close');
    const packet = 'GET /held HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(2000);
    client.write(packet);
    await expect.poll(handled).toBe(1);
    for (let i = 0; i < 4; i++) client.write(packet);
    await closed;
    expect(handled()).toBe(1);
  });
});

describe('a client that does not read its responses', () => {
  test('is disconnected after a timeout', async () => {
    const { app, logLines } = await startService({ env: { LOG_REQUESTS: 'all' } });
    expect(app.server.timeout).toBe(45_000);
    const { client, server } = await openConnection(app);
    const closed = once(server, 'close');
    client.pause();
    // Until the operating system's buffers are full.
    while (server.writableLength === 0) {
      const before = answered(logLines);
      client.write(STYLES.repeat(UNANSWERED_MAX - 1));
      // All of them: with those of the next round, more than the maximum could be unanswered.
      const areAnswered = () => answered(logLines) === before + UNANSWERED_MAX - 1;
      await expect.poll(() => areAnswered() || server.writableLength > 0).toBe(true);
      await delay(1);
    }
    // The timeout is 45 seconds until the test shortens it.
    expect(server.timeout).toBe(45_000);
    server.setTimeout(100);
    await closed;
  });
});

describe('a connection without activity', () => {
  test('stays open while the server works on a request', async () => {
    const service = await startService();
    const release = holdLookupsUntil(service);
    const { client, server } = await openConnection(service.app);
    client.write('GET /slow HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    await once(service.app.server, 'request');
    server.setTimeout(50);
    await once(server, 'timeout');
    const answer = readAll(client);
    release();
    expect(statusesIn(await answer)).toEqual([404]);
  });

  test('is closed if its request does not arrive completely', async () => {
    const { app } = await startService();
    const { client, server } = await openConnection(app);
    client.write(
      'POST /api/shorten HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
    );
    await once(app.server, 'request');
    server.setTimeout(50);
    await once(server, 'close');
  });
});

describe('a request that takes too long', () => {
  test('is checked for every 5 seconds and has 15 seconds for its headers and 30 seconds in total', async () => {
    const { app } = await startService();
    expect(app.server).toMatchObject({
      connectionsCheckingInterval: 5000,
      headersTimeout: 15_000,
      requestTimeout: 30_000,
    });
  });

  test.each([
    ['in its headers', 'GET / HTTP/1.1\r\nHost: x'],
    [
      'in its body',
      'POST /api/shorten HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
    ],
  ])('gets a 408 and is disconnected even if the client stays connected: %s', async (_, text) => {
    const { app, clock } = await startService();
    checkOften(app);
    const { client, server } = await openConnection(app);
    client.write(text);
    const isTooSlow = once(app.server, 'clientError');
    const isLingering = clock.waitFor(LINGER_MS);
    const all = readAll(client);
    await shortenOnceSent(app, server);
    await isTooSlow;
    // The rest of a body could still arrive.
    clock.advance(CHECK_MS);
    const answer = await all;
    expect(statusesIn(answer)).toEqual([408]);
    expect(bodyOf(answer)).toMatchObject({ success: false, code: 'invalid_request' });
    await isLingering;
    clock.advance(LINGER_MS);
    await expectConnections(app, 0);
  });

  test('has more time for its body while that keeps arriving', async () => {
    const service = await startService();
    const { app, clock } = service;
    const { authToken } = await makeLink(service);
    checkOften(app);
    const { client, server } = await openConnection(app);
    const isTooSlow = once(app.server, 'clientError');
    const part = `https://example.com/${'x'.repeat(5000)}\n`.repeat(14);
    client.write(
      `POST /api/links/import HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${authToken}\r\nContent-Type: text/csv\r\nContent-Length: ${3 * part.length}\r\nConnection: close\r\n\r\n`,
    );
    const answer = readAll(client);
    await shortenOnceSent(app, server);
    await isTooSlow;
    for (let parts = 1; parts <= 3; parts++) {
      const before = server.bytesRead;
      client.write(part);
      await expect.poll(() => server.bytesRead - before).toBe(part.length);
      await clock.advance(CHECK_MS);
    }
    expect(statusesIn(await answer)).toEqual([200]);
  });

  test('has ten minutes for its body at the most, however steadily that arrives', async () => {
    const service = await startService();
    const { app, clock } = service;
    const { authToken } = await makeLink(service);
    checkOften(app);
    const { client, server } = await openConnection(app);
    const isTooSlow = once(app.server, 'clientError');
    const part = `https://example.com/${'x'.repeat(5000)}\n`.repeat(14);
    client.write(
      `POST /api/links/import HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${authToken}\r\nContent-Type: text/csv\r\nContent-Length: ${200 * part.length}\r\n\r\n`,
    );
    const answer = readAll(client);
    await shortenOnceSent(app, server);
    await isTooSlow;
    for (let checks = 0; checks <= (10 * 60_000) / CHECK_MS; checks++) {
      const before = server.bytesRead;
      client.write(part);
      await expect.poll(() => server.bytesRead - before, { interval: 5 }).toBe(part.length);
      await clock.advance(CHECK_MS);
    }
    await clock.advance(LINGER_MS);
    expect(statusesIn(await answer)).toEqual([408]);
  });

  test('has more time for its body while the server has not read what has arrived', async () => {
    const service = await startService();
    const { app, clock } = service;
    const { authToken } = await makeLink(service);
    checkOften(app);
    const { promise, resolve } = Promise.withResolvers<void>();
    const findToken = service.store.findToken.bind(service.store);
    service.store.findToken = async (hash) => {
      await promise;
      return findToken(hash);
    };
    const { client, server } = await openConnection(app);
    const isTooSlow = once(app.server, 'clientError');
    const file = 'https://example.com/1\n';
    client.write(
      `POST /api/links/import HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${authToken}\r\nContent-Type: text/csv\r\nContent-Length: ${file.length + 1}\r\nConnection: close\r\n\r\n${file}`,
    );
    const answer = readAll(client);
    await shortenOnceSent(app, server);
    await isTooSlow;
    for (let checks = 0; checks < 3; checks++) await clock.advance(CHECK_MS);
    client.write('\n');
    resolve();
    expect(statusesIn(await answer)).toEqual([200]);
  });

  test.each([
    ['/api/links/import', 'text/csv'],
    ['/api/shorten', 'application/json'],
    ['/unknown', 'application/x-www-form-urlencoded'],
  ])('is no error of the server if the client breaks it off: %s', async (path, type) => {
    const traffic = new Traffic();
    const service = await startService({ traffic });
    const { authToken } = await makeLink(service);
    const { client } = await openConnection(service.app);
    client.write(
      `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${authToken}\r\nContent-Type: ${type}\r\nContent-Length: 900\r\n\r\nhttps://`,
    );
    await once(service.app.server, 'request');
    client.resetAndDestroy();
    await expect.poll(() => [...traffic.errors]).toEqual([['invalid_request', 1]]);
    expect(service.logLines.filter((line) => line.includes('"level":50'))).toEqual([]);
  });

  test('is ignored if nothing was sent, because browsers open connections in advance', async () => {
    const { app } = await startService();
    checkOften(app);
    shortenTimeouts(app);
    expect(await talk(app, '')).toBe('');
    await expectConnections(app, 0);
  });

  test('gets its error after the responses to earlier requests', async () => {
    const service = await startService();
    const release = holdLookupsUntil(service);
    checkOften(service.app);
    const { client, server } = await openConnection(service.app);
    client.write(`GET /held HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/1.1\r\nHost:`);
    const answer = readAll(client);
    const failed = once(service.app.server, 'clientError');
    await shortenOnceSent(service.app, server);
    await failed;
    release();
    expect(statusesIn(await answer)).toEqual([404, 408]);
  });
});

describe('invalid HTTP', () => {
  test('after a request gets a 400 after the response to that request', async () => {
    const { app, clock, store } = await startService();
    const isLingering = clock.waitFor(LINGER_MS);
    const body = '{"originalUrl":"https://example.com/","customAlias":"first"}';
    const answer = await talk(
      app,
      `POST /api/shorten HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}\0junk\r\n\r\n`,
    );
    expect(statusesIn(answer)).toEqual([200, 400]);
    expect(answer).toContain('"alias":"first"');
    expect(await store.findLink('first')).toBeDefined();
    await isLingering;
    clock.advance(LINGER_MS);
    await expectConnections(app, 0);
  });

  test('closes the connection even if the client keeps sending', async () => {
    const { app, clock } = await startService();
    const { client } = await openConnection(app);
    const isLingering = clock.waitFor(LINGER_MS);
    client.write('junk\r\n\r\n');
    const answer = readAll(client);
    client.write('more junk\r\n\r\n');
    expect(statusesIn(await answer)).toEqual([400]);
    client.write('and more\r\n\r\n');
    await isLingering;
    clock.advance(LINGER_MS);
    await expectConnections(app, 0);
  });
});

describe('a client that ends its side of the connection', () => {
  test('after a request gets the response, then the connection is closed', async () => {
    const { app } = await startService();
    const { client } = await openConnection(app);
    const body = '{"originalUrl":"https://example.com/","password":"takes a while to hash"}';
    client.end(
      `POST /api/shorten HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    expect(statusesIn(await readAll(client))).toEqual([200]);
    await expectConnections(app, 0);
  });

  test('in the middle of a request gets a 400, then the connection is closed', async () => {
    const { app } = await startService();
    const { client } = await openConnection(app);
    client.end('GET / HTTP/1.1\r\nHost:');
    expect(statusesIn(await readAll(client))).toEqual([400]);
    await expectConnections(app, 0);
  });
});

describe('a server near its connection limit', () => {
  test('closes the oldest connections of the address with the most that wait for nothing', async () => {
    const { app } = await startService();
    app.server.maxConnections = 20;
    const slow = await openConnection(app, { localAddress: '127.0.0.2' });
    slow.client.write(HEALTH.slice(0, -2));
    const crowd: Connection[] = [];
    for (let count = 0; count < 30; count++) {
      const connection = await openConnection(app, { localAddress: '127.0.0.3' });
      connection.client.write(HEALTH.slice(0, -2));
      crowd.push(connection);
      const visitor = await openConnection(app, { localAddress: '127.0.0.4' });
      visitor.client.end(HEALTH);
      expect(statusesIn(await readAll(visitor.client))).toEqual([200]);
    }
    const isLost = crowd.map(({ server }) => server.destroyed);
    expect(isLost.slice(0, 13)).toEqual(Array(13).fill(true));
    expect(isLost.slice(-10)).toEqual(Array(10).fill(false));
    slow.client.write('\r\n');
    const [chunk] = await once(slow.client, 'data');
    expect(statusesIn(String(chunk))).toEqual([200]);
  });

  test('closes none on whose request it works', async () => {
    const service = await startService();
    const { app } = service;
    const release = holdLookupsUntil(service);
    app.server.maxConnections = 20;
    const held: Promise<string>[] = [];
    for (let count = 0; count < 18; count++) {
      const { client } = await openConnection(app);
      client.write('GET /held HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
      await once(app.server, 'request');
      held.push(readAll(client));
    }
    const { client: idle } = await openConnection(app);
    expect(await readAll(idle)).toBe('');
    release();
    for (const answer of held) expect(statusesIn(await answer)).toEqual([404]);
  });
});

function answered(logLines: string[]): number {
  return logLines.filter((line) => line.includes('"answered"')).length;
}

function bodyOf(answer: string): unknown {
  return JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')));
}

/** Must run before it listens, because Node.js reads the interval then. */
function checkOften({ server }: FastifyInstance): void {
  Object.assign(server, { connectionsCheckingInterval: 10 });
}

function shortenTimeouts({ server }: FastifyInstance): void {
  Object.assign(server, { headersTimeout: 50, requestTimeout: 50 });
}

/** Waits for the beginning of a request, so that a busy server does not find that nothing was sent. */
async function shortenOnceSent(app: FastifyInstance, connection: Socket): Promise<void> {
  await expect.poll(() => connection.bytesRead).toBeGreaterThan(0);
  shortenTimeouts(app);
}

async function expectConnections({ server }: FastifyInstance, count: number): Promise<void> {
  const connections = promisify(server.getConnections.bind(server));
  await expect.poll(() => connections()).toBe(count);
}

/** Makes lookups never finish. @returns a function with the number of lookups that started */
function holdLookups({ store }: TestService): () => number {
  let begun = 0;
  store.findLink = () => {
    begun++;
    return new Promise(() => {});
  };
  return () => begun;
}

/** Blocks lookups until the returned function is called. */
function holdLookupsUntil({ store }: TestService): () => void {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  store.findLink = () => promise;
  return () => resolve(undefined);
}
