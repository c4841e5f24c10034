import { expect, test } from 'vitest';
import packageJson from '../../../package.json' with { type: 'json' };
import { USES_POSTGRES } from '../data/test-data.ts';
import { makeLink, START, shorten, startService } from '../support.ts';
import { ADMIN, ADMIN_TOKEN, callAsAdmin, dataAsAdmin } from './as-admin.ts';

test('the state of the server has its version, its start and its store', async () => {
  const service = await startService(ADMIN);
  await service.clock.advance(60_000);
  const data = await dataAsAdmin(service, 'GET /api/admin/system');
  expect(data).toEqual({
    version: packageJson.version,
    started: new Date(START).toISOString(),
    store: {
      kind: USES_POSTGRES ? 'postgresql' : 'json-file',
      bytes: expect.any(Number),
      isWritable: true,
      failedWrites: 0,
      lastBackup: null,
    },
    limitsReached: [],
    warnings: [expect.stringContaining('TRUST_PROXY is not set')],
  });
  // The same as in the log.
  expect(service.logLines.join('\n')).toContain(data.warnings[0]);
});

test('it has no warnings without a reason', async () => {
  const service = await startService({ env: { ADMIN_TOKEN, TRUST_PROXY: '10.0.0.1' } });
  expect((await dataAsAdmin(service, 'GET /api/admin/system')).warnings).toEqual([]);
  expect(service.logLines.join('\n')).not.toContain('TRUST_PROXY');
});

test('it has the limits that requests reached since the start', async () => {
  const service = await startService({
    env: { ADMIN_TOKEN, MONTHLY_QUOTA: '1', ANONYMOUS_PER_DAY: '1' },
  });
  const { authToken: token } = await makeLink(service);
  for (const options of [{ token }, { token }, {}]) {
    const response = await shorten(service, { originalUrl: 'https://example.com' }, options);
    expect(response.statusCode).toBe(429);
  }
  const { limitsReached } = await dataAsAdmin(service, 'GET /api/admin/system');
  expect(limitsReached).toEqual([
    { code: 'account_limit', count: 1 },
    { code: 'quota_exceeded', count: 2 },
  ]);
});

test('the links that a block would affect can be counted', async () => {
  const service = await startService(ADMIN);
  const { authToken: token } = await makeLink(service, { originalUrl: 'https://evil.example/1' });
  await makeLink(service, { originalUrl: 'https://www.evil.example/2' }, { token });
  await makeLink(service, { originalUrl: 'https://good.example/', customAlias: 'good' }, { token });
  const count = (query: string) => dataAsAdmin(service, `GET /api/admin/links/count?${query}`);
  expect(await count('host=evil.example')).toEqual({ count: 2, isComplete: true });
  expect(await count('q=good')).toEqual({ count: 1, isComplete: true });
  expect(await count('')).toEqual({ count: 3, isComplete: true });
  const invalid = await callAsAdmin(service, 'GET /api/admin/links/count?host=a%20b');
  expect([invalid.statusCode, invalid.json().code]).toEqual([400, 'invalid_request']);
});
