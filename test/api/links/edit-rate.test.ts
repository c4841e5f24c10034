import { describe, expect, test } from 'vitest';
import { call, makeLink, startService, type TestService } from '../support.ts';

const LINKS = 100;
const MINUTE_MS = 60_000;
const MAX_BYTES = 16 * 1024 * 1024;
const PASSWORD_BYTES = 256 * 1024;

describe('what an account writes with edits in a minute', () => {
  test('is limited by its size, for many links at once and for one', async () => {
    const service = await startService();
    const { authToken: token } = await makeLink(service);
    await importLargeLinks(service, token);
    let isActive = true;
    let changed = 0;
    const switchAll = async () => {
      isActive = !isActive;
      const response = await call(service, 'PATCH /api/links?all=true&limit=100', {
        token,
        body: { isActive },
      });
      if (response.statusCode === 200) changed += response.json().data.changed.length;
      return response;
    };
    let last = await switchAll();
    while (last.statusCode === 200 && changed < 100 * LINKS) last = await switchAll();
    expect(last.json()).toMatchObject({ success: false, code: 'rate_limited' });
    expect(last.headers['retry-after']).toBe('60');
    const exported = await call(service, 'GET /api/links/export', { token });
    const linkBytes = exported.body.length / (LINKS + 1);
    expect(changed * linkBytes).toBeGreaterThan(MAX_BYTES / 2);
    expect(changed * linkBytes).toBeLessThan(1.2 * MAX_BYTES);

    const one = { token, body: { title: 'New' } };
    const limited = [
      await call(service, 'PATCH /api/links/large-1', one),
      await call(service, 'DELETE /api/links/large-1', { token }),
      await call(service, 'POST /api/account/tokens', { token, body: { name: 'Another' } }),
    ];
    expect(limited.map(({ statusCode }) => statusCode)).toEqual([429, 429, 429]);
    expect((await call(service, 'GET /api/links/large-1', { token })).statusCode).toBe(200);
    const other = await makeLink(service, { customAlias: 'other' });
    expect(
      (await call(service, 'PATCH /api/links/other', { ...one, token: other.authToken }))
        .statusCode,
    ).toBe(200);
    await service.clock.advance(MINUTE_MS);
    expect((await call(service, 'PATCH /api/links/large-1', one)).statusCode).toBe(200);
  });

  test('has room for few new passwords, because hashing takes long', async () => {
    const service = await startService();
    const { authToken: token } = await makeLink(service, { customAlias: 'launch' });
    let hashed = 0;
    const setPassword = () =>
      call(service, 'PATCH /api/links/launch', { token, body: { password: 'open sesame' } });
    let last = await setPassword();
    while (last.statusCode === 200 && hashed < 200) {
      hashed++;
      last = await setPassword();
    }
    expect(last.json()).toMatchObject({ code: 'rate_limited' });
    expect(hashed).toBeGreaterThan(50);
    expect(hashed).toBeLessThanOrEqual(MAX_BYTES / PASSWORD_BYTES);
  });
});

test('many accounts of one address do not keep others from setting passwords', async () => {
  const service = await startService();
  const edits: { alias: string; token: string }[] = [];
  for (let index = 0; index < 16; index++) {
    const { alias, authToken } = await makeLink(service);
    edits.push({ alias, token: authToken });
  }
  const other = await makeLink(service);
  const setPassword = ({ alias, token }: (typeof edits)[number], remoteAddress: string) =>
    call(service, `PATCH /api/links/${alias}`, {
      ...{ token, remoteAddress },
      body: { password: 'open sesame' },
    });
  const flood = edits.map((edit) => setPassword(edit, '192.0.2.1'));
  const response = await setPassword(
    { alias: other.alias, token: other.authToken },
    '198.51.100.1',
  );
  expect(response.statusCode).toBe(200);
  const codes = (await Promise.all(flood)).map(({ statusCode }) => statusCode);
  expect(codes.filter((code) => code === 503).length).toBeGreaterThan(0);
  expect(codes.filter((code) => code === 200).length).toBeGreaterThanOrEqual(8);
});

/** About 16 kB each. */
async function importLargeLinks(service: TestService, token: string): Promise<void> {
  const links = Array.from({ length: LINKS }, (_, index) => ({
    alias: `large-${index}`,
    originalUrl: `https://example.com/${index}/${'x'.repeat(7900)}`,
    rules: [{ device: 'phone', originalUrl: `https://example.com/phone/${'x'.repeat(7900)}` }],
  }));
  const response = await call(service, 'POST /api/links/import?from=curt', {
    token,
    body: { curt: 'links', version: 1, links },
  });
  expect(response.json().data.imported).toBe(LINKS);
}
