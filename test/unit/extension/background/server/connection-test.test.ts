import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import { testConnection } from '../../../../../extension/background/server/connection-test.ts';
import { replaceToken } from '../../../../../extension/background/server/tokens.ts';
import { createClient } from '../../../../../shared/client.ts';
import { type Service, startService } from '../../support/service.ts';

let service: Service;

beforeEach(async () => {
  fakeBrowser.reset();
  service = await startService();
});
afterEach(() => service.stop());

function tryIt(options: { timeoutMs?: number } = {}) {
  return testConnection(service.origin, (baseUrl) => createClient({ baseUrl, ...options }));
}

describe('the connection test', () => {
  test('reports the version without sending a token if there is none', async () => {
    expect(await tryIt()).toEqual({ outcome: 'connected', version: '0.1.0' });
    expect(service.calls.map(({ path, token }) => [path, token])).toEqual([
      ['/api/health', undefined],
    ]);
  });

  test('reports the remaining limits of the account', async () => {
    service.tokens.add('curt_known');
    await replaceToken(service.origin, 'curt_known');
    expect(await tryIt()).toMatchObject({
      outcome: 'connected',
      account: { quota: { limit: 1000, remaining: 1000 }, rate: { limit: 10, remaining: 10 } },
    });
  });

  test('reports a token that the server does not recognize', async () => {
    await replaceToken(service.origin, 'curt_unknown');
    expect(await tryIt()).toMatchObject({ outcome: 'token_unknown' });
  });

  test('reports what short URLs start with, if it is another host', async () => {
    const health = { status: 'ok', service: 'curt', version: '0.1.0' };
    service.health = { ...health, baseUrl: service.origin };
    expect(await tryIt()).toEqual({ outcome: 'connected', version: '0.1.0' });
    service.health = { ...health, baseUrl: 'http://localhost:1' };
    expect(await tryIt()).toMatchObject({ shortUrls: 'http://localhost:1' });
  });

  test('finds Curt without TLS, where nothing answers with it', async () => {
    const asked: string[] = [];
    const report = await testConnection(service.origin.replace('http:', 'https:'), (baseUrl) => {
      asked.push(baseUrl);
      return createClient({ baseUrl });
    });
    expect(report).toMatchObject({ httpOrigin: service.origin });
    expect(asked).toContain(service.origin);
    service.health = null;
    const other = await testConnection(service.origin.replace('http:', 'https:'), (baseUrl) =>
      createClient({ baseUrl }),
    );
    expect(other).not.toHaveProperty('httpOrigin');
  });

  test.each([301, 302, 307, 308])(
    'reports a redirect (%i) without following it',
    async (status) => {
      service.proxyAnswer = { status, headers: { location: 'https://elsewhere.example/' } };
      expect(await tryIt()).toEqual({ outcome: 'redirected' });
      expect(service.calls).toHaveLength(1);
    },
  );

  test.each([502, 503, 504, 522])(
    'reports a proxy without a server behind it (%i)',
    async (status) => {
      service.proxyAnswer = { status };
      expect(await tryIt()).toEqual({ outcome: 'gateway_error' });
    },
  );

  test('distinguishes another program, no response and a timeout', async () => {
    service.health = null;
    expect(await tryIt()).toEqual({ outcome: 'not_curt' });
    service.health = 'never';
    expect(await tryIt({ timeoutMs: 100 })).toEqual({ outcome: 'timed_out' });
    await service.stop();
    expect(await tryIt()).toEqual({ outcome: 'no_answer' });
  });
});
