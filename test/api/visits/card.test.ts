import { describe, expect, test } from 'vitest';
import { startWithLink } from '../links/with-link.ts';
import { visit } from './visiting.ts';

const CHAT = { 'user-agent': 'WhatsApp/2.23.20.0 A' };
const TARGET = 'https://example.com/page';
const CARD = {
  title: 'Cats & "dogs"',
  description: '<script>alert(1)</script>',
  imageUrl: 'https://example.com/picture.png?a&b',
};

describe('the card of a link', () => {
  test('is what programs get that show previews, escaped, and without the target', async () => {
    const { service, token: _ } = await startWithLink({ card: CARD });
    const page = await visit(service, '/launch', { headers: CHAT });
    expect(page.statusCode).toBe(200);
    for (const text of [
      '<meta property="og:title" content="Cats &amp; &quot;dogs&quot;">',
      '<meta property="og:description" content="&lt;script&gt;alert(1)&lt;/script&gt;">',
      '<meta property="og:image" content="https://example.com/picture.png?a&amp;b">',
      '<meta property="og:url" content="https://s.example/launch">',
      '<meta name="twitter:card" content="summary_large_image">',
    ]) {
      expect(page.body).toContain(text);
    }
    expect(page.body).not.toContain(TARGET);
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
    expect(page.headers['cache-control']).toBe('private, no-store');
    const head = await visit(service, '/launch', { headers: CHAT, method: 'HEAD' });
    expect([head.statusCode, head.headers['content-type']]).toEqual([
      200,
      'text/html; charset=utf-8',
    ]);
  });

  test.each([
    ['people', {}],
    ['prefetches', { headers: { 'sec-purpose': 'prefetch;prerender' } }],
    ['HEAD requests of people', { method: 'HEAD' as const }],
    ['other bots', { headers: { 'user-agent': 'Googlebot/2.1' } }],
  ])('is not for %s', async (_, options) => {
    const { service } = await startWithLink({ card: CARD });
    const { headers } = await visit(service, '/launch', options);
    expect(headers.location).toBe(TARGET);
  });

  test('is filled up from the link', async () => {
    const { service } = await startWithLink({
      title: 'Title',
      description: 'Text',
      card: { imageUrl: TARGET },
    });
    const { body } = await visit(service, '/launch', { headers: CHAT });
    expect(body).toContain('<meta property="og:title" content="Title">');
    expect(body).toContain('<meta property="og:description" content="Text">');
  });

  test('tells nothing of a link with a password, and is replaced by the redirect once it is removed', async () => {
    const { service, edit } = await startWithLink({ card: CARD, password: 'secret' });
    expect((await visit(service, '/launch', { headers: CHAT })).body).not.toContain('og:title');
    await edit({ password: null, card: null });
    expect((await visit(service, '/launch', { headers: CHAT })).headers.location).toBe(TARGET);
  });

  test('is counted as a preview', async () => {
    const { service } = await startWithLink({ card: CARD, waitTimer: 3 });
    const address = await service.app.listen({ port: 0 });
    const response = await fetch(`${address}/launch`, { headers: CHAT, redirect: 'manual' });
    expect(await response.text()).toContain('og:title');
    expect((await service.store.findLink('launch'))?.hits).toBe(0);
  });
});
