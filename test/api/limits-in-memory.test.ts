import { expect, test } from 'vitest';
import { shorten, startService } from './support.ts';

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
