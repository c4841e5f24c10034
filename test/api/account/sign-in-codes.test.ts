import { expect, test } from 'vitest';
import { startWithLink } from '../links/with-link.ts';
import { BASE_URL, call, type TestService } from '../support.ts';

async function startWithCode() {
  const { service, token } = await startWithLink();
  const response = await call(service, 'POST /api/account/sign-in-codes', { token });
  const { url, expiresAt } = response.json().data;
  const code = url.slice(url.indexOf('#code=') + '#code='.length);
  return { service, token, url, expiresAt, code };
}

const redeem = (service: TestService, body: unknown, remoteAddress?: string) =>
  call(service, 'POST /api/sign-in-codes/redeem', {
    body,
    ...(remoteAddress && { remoteAddress }),
  });

test('an address signs in once, with a token of its own, named after the browser', async () => {
  const { service, token, url, expiresAt, code } = await startWithCode();
  expect(url).toMatch(new RegExp(`^${BASE_URL}/dashboard#code=[\\w-]{22}$`));
  expect(expiresAt).toBe(new Date(service.clock.now() + 600_000).toISOString());
  const list = async (by: string) =>
    (await call(service, 'GET /api/account/tokens', { token: by })).json().data;
  expect(await list(token)).toHaveLength(1);
  const response = await redeem(service, { code, name: 'Firefox' });
  expect(response.statusCode, response.body).toBe(200);
  const { token: other } = response.json().data;
  expect(other).not.toBe(token);
  expect(await list(other)).toMatchObject([
    { name: '', scope: 'all', isCurrent: false },
    { name: 'Firefox', scope: 'all', isCurrent: true },
  ]);
  const again = await redeem(service, { code });
  expect([again.statusCode, again.json().code]).toEqual([404, 'code_invalid']);
  expect(service.logLines.join()).not.toContain(code);
});

test('an expired code, an unknown one, one that is none, and a token get the same answer', async () => {
  const { service, token, code } = await startWithCode();
  service.clock.advance(600_000);
  const answers = [];
  for (const sent of [code, 'MDEyMzQ1Njc4OWFiY2RlZg', '', 'x'.repeat(5000), token]) {
    answers.push((await redeem(service, { code: sent })).json());
  }
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  expect(answers[0].code).toBe('code_invalid');
});

test('a code is no token', async () => {
  const { service, code } = await startWithCode();
  for (const token of [code, `curt_${code}`]) {
    expect((await call(service, 'GET /api/links', { token })).json().code).toBe('invalid_token');
  }
});

test('only the scope "all" makes addresses', async () => {
  const { service, token } = await startWithLink();
  const body = { name: 'CI', scope: 'read' };
  const created = await call(service, 'POST /api/account/tokens', { token, body });
  const response = await call(service, 'POST /api/account/sign-in-codes', {
    token: created.json().data.token,
  });
  expect(response.json().code).toBe('insufficient_scope');
});

test('an address that tries many codes has to wait, even with the right one', async () => {
  const { service, code } = await startWithCode();
  for (let attempt = 0; attempt < 30; attempt++) await redeem(service, { code: 'wrong' });
  const waiting = await redeem(service, { code });
  expect([waiting.statusCode, waiting.json().code]).toEqual([429, 'rate_limited']);
  expect(Number(waiting.headers['retry-after'])).toBeGreaterThan(0);
  expect((await redeem(service, { code }, '192.0.2.7')).statusCode).toBe(200);
});
