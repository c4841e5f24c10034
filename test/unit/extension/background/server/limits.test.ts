import { afterEach, beforeEach, expect, test } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import { readLimits } from '../../../../../extension/background/server/limits.ts';
import { replaceToken } from '../../../../../extension/background/server/tokens.ts';
import { createClient } from '../../../../../shared/client.ts';
import { type Service, startService } from '../../support/service.ts';

let service: Service;

beforeEach(async () => {
  fakeBrowser.reset();
  service = await startService();
  service.tokens.add('curt_known');
  await replaceToken(service.origin, 'curt_known');
});
afterEach(() => service.stop());

function read() {
  const { resetsAt } = service.account.quota;
  const client = createClient({ baseUrl: service.origin });
  return readLimits(service.origin, client, false, Date.parse(resetsAt) - 60_000);
}

test('returns the limits that the server reports for the account', async () => {
  expect(await read()).toMatchObject({
    rate: { limit: 10, remaining: 10 },
    quota: { limit: 1000, remaining: 1000, resetsInSeconds: 60 },
  });
});

test('omits the quota if it is unlimited', async () => {
  service.account = {
    ...service.account,
    quota: { ...service.account.quota, limit: null, remaining: null },
  };
  const limits = await read();
  expect(limits).toMatchObject({ rate: { limit: 10 } });
  expect(limits).not.toHaveProperty('quota');
});
