import { describe, expect, test } from 'vitest';
import { editOf } from '../../store/contract.ts';
import { makeLink, startService, type TestService } from '../support.ts';
import { goLinkOf, visit } from './visiting.ts';

const TARGET = 'https://example.com/page';
const BOT = { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1)' };
const PREVIEW = { 'user-agent': 'WhatsApp/2.23.20.0 A' };

async function startLimited(maxVisits: number, body: Record<string, unknown> = {}, env = {}) {
  const service = await startService({ env });
  await makeLink(service, { customAlias: 'few', maxVisits, ...body });
  return service;
}

const hitsOf = async ({ store }: TestService) => (await store.findLink('few'))?.hits;

describe('a link with maxVisits', () => {
  test('counts on disk before the visitor passes, so that it stays used up', async () => {
    const service = await startLimited(2);
    expect((await visit(service, '/few')).statusCode).toBe(302);
    expect(await hitsOf(service)).toBe(1);
    expect((await visit(service, '/few')).statusCode).toBe(302);
    for (const url of ['/few', '/few+', '/few/qr.svg', '/few/go?t=x']) {
      const response = await visit(service, url, { headers: { accept: 'application/json' } });
      expect([response.statusCode, response.json().code], url).toEqual([410, 'link_gone']);
      expect(response.json().message).toBe('This link has been used up.');
    }
  });

  test("is used up by a person in Facebook's app", async () => {
    const service = await startLimited(1);
    const headers = {
      'user-agent': '[FBAN/FB4A;FBAV/540.0.0.50.148;FBCR/Vodafone;FBDV/SM-A536B;]',
    };
    expect((await visit(service, '/few', { headers })).statusCode).toBe(302);
    expect((await visit(service, '/few', { headers })).statusCode).toBe(410);
  });

  test('is used up once by a click in Word, Excel or PowerPoint, which ask before they open the browser', async () => {
    const service = await startLimited(2, { title: 'Plan' });
    for (const [method, agent] of [
      ['HEAD', 'Microsoft Office Excel 2014 (16.0.10730) Windows NT 10.0'],
      ['GET', 'Mozilla/4.0 (compatible; MSIE 7.0; Windows NT 10.0; WOW64; Trident/7.0; ms-office)'],
      ['GET', 'Mozilla/4.0 (compatible; ms-office; MSOffice 16)'],
      ['GET', 'Microsoft Office Existence Discovery'],
    ] as const) {
      // After a redirect, they would open its end in the browser, and the link itself would not be visited.
      const page = await visit(service, '/few', { method, headers: { 'user-agent': agent } });
      expect([page.statusCode, page.headers.location], agent).toEqual([200, undefined]);
      expect(page.body).not.toContain(TARGET);
    }
    expect(await hitsOf(service)).toBe(0);
    expect((await visit(service, '/few')).headers.location).toBe(TARGET);
    expect(await hitsOf(service)).toBe(1);
  });

  const OTHERS: [string, Parameters<typeof visit>[2], number][] = [
    ['a bot', { headers: BOT }, 200],
    ['a program that shows previews', { headers: PREVIEW }, 200],
    ['no user agent', { headers: { 'user-agent': '' } }, 200],
    ['a HEAD request', { method: 'HEAD' }, 200],
    ['a prefetch', { headers: { 'sec-purpose': 'prefetch' } }, 425],
    ['a thumbnail', { headers: { 'x-purpose': 'preview' } }, 425],
  ];

  test.each(OTHERS)(
    'is not used up by %s, which never learns the target',
    async (_, options, status) => {
      const service = await startLimited(1, { title: 'Plan' });
      const response = await visit(service, '/few', options);
      expect([response.statusCode, response.headers.location]).toEqual([status, undefined]);
      expect(response.body).not.toContain('example.com');
      if (response.body)
        expect(response.body).toContain('<meta property="og:title" content="Plan">');
      expect(await hitsOf(service)).toBe(0);
      expect((await visit(service, '/few')).headers.location).toBe(TARGET);
      expect((await visit(service, '/few', options)).statusCode).toBe(410);
    },
  );

  test.each([
    ['a wait', { waitTimer: 1 }],
    ['a password', { password: 'right' }],
  ])('tells no bot the target behind %s', async (_, body) => {
    const service = await startLimited(1, body);
    const form = { password: 'right' };
    const page = await visit(service, '/few', 'password' in body ? { form, headers: BOT } : {});
    await service.clock.advance(1000);
    const response =
      'password' in body ? page : await visit(service, goLinkOf(page), { headers: BOT });
    expect([response.statusCode, response.headers.location]).toEqual([200, undefined]);
    expect(response.body).not.toContain('example.com');
    expect(await hitsOf(service)).toBe(0);
  });

  test('is used up by the right password and not by the form', async () => {
    const service = await startLimited(1, { password: 'right' });
    await visit(service, '/few');
    await visit(service, '/few', { form: { password: 'wrong' } });
    await visit(service, '/few+', { form: { password: 'right' } });
    expect(await hitsOf(service)).toBe(0);
    expect((await visit(service, '/few', { form: { password: 'right' } })).statusCode).toBe(303);
    expect((await visit(service, '/few', { form: { password: 'right' } })).statusCode).toBe(410);
    expect(await hitsOf(service)).toBe(1);
  });

  test('is used up by the go-link and not by the preview page', async () => {
    const service = await startLimited(1, { waitTimer: 5 });
    const [first, second] = [await visit(service, '/few'), await visit(service, '/few')];
    await visit(service, '/few+');
    expect(await hitsOf(service)).toBe(0);
    await service.clock.advance(5000);
    expect((await visit(service, goLinkOf(first))).headers.location).toBe(TARGET);
    expect((await visit(service, goLinkOf(second))).statusCode).toBe(410);
    expect((await visit(service, '/few')).statusCode).toBe(410);
  });

  test('works again once its limit is raised', async () => {
    const service = await startLimited(1);
    await visit(service, '/few');
    expect((await visit(service, '/few')).statusCode).toBe(410);
    const link = await service.store.findLink('few');
    if (!link) throw new Error('no link');
    await service.store.editLink(editOf(link, { maxVisits: 2 }));
    expect((await visit(service, '/few')).statusCode).toBe(302);
    expect((await visit(service, '/few')).statusCode).toBe(410);
  });
});

test.each([
  ['deleted', { deletedAt: 1 }, 'This link was turned off.'],
  ['inactive', { isActive: false }, 'This link was turned off.'],
  ['expired', { expiresAt: 1 }, 'This link has expired.'],
])('a link that is %s answers 410', async (_status, changes, message) => {
  const service = await startService();
  await makeLink(service, { customAlias: 'gone' });
  const link = await service.store.findLink('gone');
  if (!link) throw new Error('no link');
  expect((await visit(service, '/gone')).statusCode).toBe(302);
  await service.store.editLink(editOf(link, changes));
  for (const headers of [{}, BOT, PREVIEW]) {
    const json = { ...headers, accept: 'application/json' };
    const response = await visit(service, '/gone', { headers: json });
    expect(response.statusCode).toBe(410);
    expect(response.json()).toMatchObject({ code: 'link_gone', message });
  }
});
