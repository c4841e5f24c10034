import { beforeEach, describe, expect, test } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import { readLimits, testConnection } from '../../../../../extension/background/account/servers.ts';
import { replaceToken } from '../../../../../extension/background/account/tokens.ts';
import packageJson from '../../../../../package.json' with { type: 'json' };
import { createClient } from '../../../../../shared/client.ts';
import type { Time } from '../../../../../shared/time.ts';
import { dataOf } from '../../../../support/data-of.ts';
import { hurryingTime } from '../../../../support/manual-time.ts';
import { type Service, useService } from '../../support/service.ts';

const newService = useService({ RATE_LIMIT_PER_MINUTE: '10' });
const newServiceWithoutQuota = useService({
  BASE_URL: 'http://localhost:2879',
  MONTHLY_QUOTA: 'unlimited',
  RATE_LIMIT_PER_MINUTE: '10',
});
let service: Service;

beforeEach(async () => {
  fakeBrowser.reset();
  service = newService();
});

function tryIt(options: { time?: Time } = {}) {
  return testConnection(service.origin, (baseUrl) => createClient({ baseUrl, ...options }));
}

describe('the connection test', () => {
  test('reports the version without sending a token if there is none', async () => {
    expect(await tryIt()).toEqual({ outcome: 'connected', version: packageJson.version });
    expect(service.calls.map(({ path, token }) => [path, token])).toEqual([
      ['/api/health', undefined],
    ]);
  });

  test('reports the remaining limits of the account', async () => {
    await replaceToken(service.origin, await service.openAccount());
    expect(await tryIt()).toMatchObject({
      outcome: 'connected',
      account: { quota: { limit: 1000, remaining: 999 }, rate: { limit: 10, remaining: 10 } },
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
    expect(await tryIt({ time: hurryingTime })).toEqual({ outcome: 'timeout' });
    service.isAway = true;
    expect(await tryIt()).toEqual({ outcome: 'unreachable' });
  });
});

/** The limits of a new account, a minute before its quota is reset. */
async function readNewLimits(service: Service) {
  const { origin } = service;
  const token = await service.openAccount();
  await replaceToken(origin, token);
  const client = createClient({ baseUrl: origin });
  const { resetsAt } = dataOf(await client.getAccount({ token })).quota;
  return readLimits(origin, client, false, Date.parse(resetsAt) - 60_000);
}

test('the limits are those that the server reports for the account', async () => {
  expect(await readNewLimits(newService())).toMatchObject({
    rate: { limit: 10, remaining: 10 },
    quota: { limit: 1000, remaining: 999, resetsInSeconds: 60 },
  });
});

test('the limits have no quota if it is unlimited', async () => {
  const limits = await readNewLimits(newServiceWithoutQuota());
  expect(limits).toMatchObject({ rate: { limit: 10 } });
  expect(limits).not.toHaveProperty('quota');
});
