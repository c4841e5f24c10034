import { describe, expect, test } from 'vitest';
import type { CreatedLinkRecord } from '../../../shared/links/link-record.ts';
import type { ShortenRequest } from '../../../shared/links/shorten-request.ts';
import { domainOf } from '../../store/contract/domains.ts';
import { call, makeLink, startService } from '../support.ts';

const URL = 'https://example.com/page?a=1';

/** An account with one link of the URL. */
async function startWithLink(fields: Partial<ShortenRequest> = {}) {
  const service = await startService();
  const { authToken: token, ...link } = await makeLink(service, { originalUrl: URL, ...fields });
  await service.clock.advance(1000);
  const reuse = (more: Partial<ShortenRequest> = {}): Promise<CreatedLinkRecord> =>
    makeLink(service, { originalUrl: URL, reuse: true, ...more }, { token });
  return { service, token, link, reuse };
}

describe('reuse', () => {
  test('answers the newest link of the account with the same URL and options, and counts no link', async () => {
    const { service, token, link, reuse } = await startWithLink({ waitTimer: 5, title: 'A' });
    await makeLink(service, { originalUrl: URL });
    const second = await makeLink(service, { originalUrl: URL, waitTimer: 5 }, { token });
    const again = await reuse({ waitTimer: 5, generateQR: true });
    expect([second.isReused, again.isReused]).toEqual([false, true]);
    expect(again).toMatchObject({ id: second.id, qrCode: expect.stringMatching(/^data:/) });
    expect(again).not.toHaveProperty('newAuthToken');
    expect(await reuse({ waitTimer: 5, title: 'A' })).toMatchObject({ id: link.id });
    const account = await call(service, 'GET /api/account', { token });
    expect(account.json().data).toMatchObject({ links: 2 });
  });

  test.each<[string, Partial<ShortenRequest>]>([
    ['another URL', { originalUrl: `${URL}&b=2` }],
    ['a part of the URL', { originalUrl: 'https://example.com/page' }],
    ['another alias', { customAlias: 'other' }],
    ['a wait', { waitTimer: 5 }],
    ['an expiry', { expiresAt: '2040-01-01T00:00:00Z' }],
    ['a limit of visits', { maxVisits: 3 }],
    ['a password', { password: 'secret' }],
    ['rules', { rules: [{ device: 'phone', originalUrl: 'https://example.com/phone' }] }],
    ['a title', { title: 'Another' }],
  ])('creates a link for %s', async (_, fields) => {
    const { link, reuse } = await startWithLink();
    expect((await reuse(fields)).id).not.toBe(link.id);
  });

  test('creates a link if the other one does not work, has a password or is on another domain', async () => {
    const { service, token, link, reuse } = await startWithLink();
    const edit = (alias: string, body: object) =>
      call(service, `PATCH /api/links/${alias}`, { token, body });
    await edit(link.alias, { isActive: false });
    const second = await reuse();
    expect(second.id).not.toBe(link.id);
    await edit(second.alias, { password: 'secret' });
    const third = await reuse();
    expect(third.id).not.toBe(second.id);
    await service.store.administration.addDomain(domainOf('go.example'));
    const fourth = await reuse({ domain: 'go.example' });
    expect(fourth.shortUrl).toMatch(/^https:\/\/go\.example\//);
    expect((await reuse()).id).toBe(third.id);
  });

  test('finds the link under its alias in any case', async () => {
    const { link, reuse } = await startWithLink({ customAlias: 'Sale' });
    expect((await reuse({ customAlias: 'sale' })).id).toBe(link.id);
  });

  test('creates one link for concurrent calls, and for two requests of a batch', async () => {
    const { service, token } = await startWithLink();
    const body = { originalUrl: 'https://example.com/new', reuse: true };
    const made = await Promise.all([1, 2, 3].map(() => makeLink(service, body, { token })));
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
    const other = { ...body, originalUrl: 'https://example.com/batch' };
    const batch = await call(service, 'POST /api/links/batch', { token, body: [other, other] });
    const [one, two] = batch.json().data;
    expect(one.data.id).toBe(two.data.id);
  });

  test('answers a repeated call with an idempotency key as the first one', async () => {
    const { service, token, link } = await startWithLink();
    const body = { originalUrl: URL, reuse: true };
    const idempotencyKey = 'x'.repeat(16);
    for (const _ of [1, 2]) {
      const made = await makeLink(service, body, { token, key: idempotencyKey });
      expect(made).toMatchObject({ id: link.id, isReused: true });
    }
    const other = { ...body, originalUrl: `${URL}&new` };
    for (const _ of [1, 2]) {
      const made = await makeLink(service, other, { token, key: 'y'.repeat(16) });
      expect(made.isReused).toBe(false);
    }
  });

  test('creates the first link of a new account, and any link of a token that may not see the others', async () => {
    const { service, token, link } = await startWithLink();
    const anonymous = await makeLink(service, { originalUrl: URL, reuse: true });
    expect(anonymous).toHaveProperty('newAuthToken');
    const created = await call(service, 'POST /api/account/tokens', {
      token,
      body: { name: 'For forms', scope: 'create' },
    });
    const body = { originalUrl: URL, reuse: true };
    const made = await makeLink(service, body, { token: created.json().data.token });
    expect(made.isReused).toBe(false);
    expect(made.id).not.toBe(link.id);
  });
});
