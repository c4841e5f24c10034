import { expect, test } from 'vitest';
import { makeLink, shorten, startService } from './support.ts';
import { visit } from './visits/visiting.ts';

const LINK = { originalUrl: 'https://example.com' };

test('the rate limit does not depend on the wall clock', async () => {
  const service = await startService({ env: { RATE_LIMIT_PER_MINUTE: '1' } });
  await shorten(service, LINK);
  service.clock.now -= 5 * 3_600_000;
  expect((await shorten(service, LINK)).headers['retry-after']).toBe('60');
  service.clock.now += 10 * 3_600_000;
  expect((await shorten(service, LINK)).headers['retry-after']).toBe('60');
  service.clock.advance(60_000);
  expect((await shorten(service, LINK)).statusCode).toBe(200);
});

test('the limits on passwords do not depend on the wall clock', async () => {
  const service = await startService();
  const right = { form: { password: 'open sesame' } };
  await makeLink(service, { customAlias: 'locked', password: 'open sesame' });
  for (let time = 0; time < 5; time++) await visit(service, '/locked', { form: {} });
  service.clock.now -= 5 * 3_600_000;
  expect((await visit(service, '/locked', right)).headers['retry-after']).toBe('60');
  service.clock.now += 10 * 3_600_000;
  expect((await visit(service, '/locked', right)).statusCode).toBe(429);
});
