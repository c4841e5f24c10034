import { describe, expect, test } from 'vitest';
import { makeLink, startService } from '../support.ts';
import { addLink, expectHits, goLinkOf, visit } from './visiting.ts';

const SECOND_MS = 1000;
const TARGET = 'https://example.com/secret/path?key=value';
const WAITING = { customAlias: 'waits', originalUrl: TARGET, waitTimer: 10 };
const TAGGED = { customAlias: 'tagged', originalUrl: TARGET, customGtmId: 'GTM-ABC1234' };

describe('GET /<alias> of a link with a wait', () => {
  test('shows title, description and host, but not the target', async () => {
    const service = await startService();
    await makeLink(service, { ...WAITING, title: 'A title', description: 'One\nTwo' });
    const page = await visit(service, '/waits');
    expect(page.statusCode).toBe(200);
    expect(page.headers).not.toHaveProperty('location');
    expect(page.body).toContain('>A title</h1>');
    expect(page.body).toContain('>One\nTwo<');
    expect(page.body).toContain('>example.com<');
    expect(page.body).toContain('data-wait-ms="10000"');
    expect(page.body).not.toContain('secret');
    expect(page.body).not.toContain('key=value');
  });

  test('shows the host if there is no title', async () => {
    const service = await startService();
    await makeLink(service, WAITING);
    expect((await visit(service, '/waits')).body).toContain('>You are going to example.com</h1>');
  });

  test('has a "Stay here" button and, without JavaScript, a refresh and a link', async () => {
    const service = await startService();
    await makeLink(service, WAITING);
    const page = await visit(service, '/waits');
    const go = goLinkOf(page);
    expect(page.body).toMatch(/<button [^>]*data-stay[^>]*>Stay here<\/button>/);
    expect(page.body).toContain(
      `<noscript><meta http-equiv="refresh" content="10;url=${go}"></noscript>`,
    );
    expect(page.body).toContain(`<a class="button" href="${go}"`);
    // A sandboxed page refreshes nothing.
    expect(page.body).toContain('If nothing happens after that, choose “Continue”.');
  });

  test('rounds the refresh up, because browsers read whole seconds', async () => {
    const service = await startService();
    await makeLink(service, { ...WAITING, waitTimer: 0.5 });
    const page = await visit(service, '/waits');
    expect(page.body).toContain('content="1;url=/waits/go');
    expect(page.body).toContain('data-wait-ms="500"');
  });

  test('counts a hit when the visitor continues, not when the page is shown', async () => {
    const service = await startService();
    await makeLink(service, WAITING);
    const go = goLinkOf(await visit(service, '/waits'));
    await service.clock.advance(10 * SECOND_MS);
    for (const headers of [{ 'sec-purpose': 'prefetch' }, { 'user-agent': 'Googlebot/2.1' }]) {
      expect((await visit(service, go, { headers })).statusCode).toBe(302);
    }
    expect((await visit(service, go, { method: 'HEAD' })).statusCode).toBe(302);
    await visit(service, go);
    await expectHits(service, 'waits', 1);
  });
});

describe('GET /<alias>/go', () => {
  test('answers 425 before the wait is over, with Retry-After and a refresh, and counts no hit', async () => {
    const service = await startService();
    await makeLink(service, WAITING);
    const go = goLinkOf(await visit(service, '/waits'));
    await service.clock.advance(7.5 * SECOND_MS);
    const early = await visit(service, go);
    expect(early.statusCode).toBe(425);
    expect(early.headers['retry-after']).toBe('3');
    expect(early.body).toContain('<meta http-equiv="refresh" content="3">');
    expect(early.body).toContain(
      'This link opens in 3 seconds. If nothing happens after that, choose “Try again”.',
    );
    expect(early.body).not.toContain('secret');
    const asJson = await visit(service, go, { headers: { accept: 'application/json' } });
    expect(asJson.statusCode).toBe(425);
    expect(asJson.json()).toMatchObject({ success: false, code: 'too_early' });
    await service.clock.advance(2.5 * SECOND_MS - 1);
    expect((await visit(service, go)).statusCode).toBe(425);
    await service.clock.advance(1);
    expect((await visit(service, go)).statusCode).toBe(302);
    await expectHits(service, 'waits', 1);
  });

  test('redirects to the target for ten minutes after the wait', async () => {
    const service = await startService();
    await makeLink(service, WAITING);
    const go = goLinkOf(await visit(service, '/waits'));
    await service.clock.advance(10 * SECOND_MS);
    const response = await visit(service, go);
    expect(response.statusCode).toBe(302);
    expect(response.headers).toMatchObject({
      location: TARGET,
      'cache-control': 'private, no-store',
      'x-robots-tag': 'noindex',
    });
    await service.clock.advance(10 * 60 * SECOND_MS - 1);
    expect((await visit(service, go)).headers.location).toBe(TARGET);
  });

  test('redirects to the preview page if it has expired or is forged', async () => {
    const service = await startService();
    await makeLink(service, WAITING);
    await makeLink(service, { ...WAITING, customAlias: 'other' });
    const go = goLinkOf(await visit(service, '/waits'));
    const back = async (url: string, location = '/waits') => {
      const response = await visit(service, url);
      expect(response.statusCode, url).toBe(302);
      expect(response.headers.location, url).toBe(location);
      expect(response.headers['cache-control']).toBe('private, no-store');
    };
    await service.clock.advance(10 * SECOND_MS);
    await back('/waits/go');
    await back('/waits/go?t=');
    await back('/waits/go?t=x.y');
    await back(`${go}x`);
    await back(`${go}.x`);
    await back(`${go}&t=again`);
    await back(go.replace('?t=', '?t=1'));
    await back(go.replace('/waits/', '/other/'), '/other');
    await service.clock.advance(10 * 60 * SECOND_MS);
    await back(go);
    await expectHits(service, 'waits', 0);
  });

  test('answers 410 if the link has expired meanwhile', async () => {
    const service = await startService();
    await makeLink(service, { ...WAITING, expiresInMinutes: 0.1 });
    const go = goLinkOf(await visit(service, '/waits'));
    await service.clock.advance(10 * SECOND_MS);
    expect((await visit(service, go)).statusCode).toBe(410);
  });
});

describe('GET /<alias> of a link with a tag-manager container', () => {
  test('shows the preview page without a wait, with a go-link that works immediately', async () => {
    const service = await startService();
    await makeLink(service, TAGGED);
    const page = await visit(service, '/tagged');
    expect(page.statusCode).toBe(200);
    expect(page.body).toContain('data-custom-gtm-id="GTM-ABC1234"');
    expect(page.body).toContain('data-wait-ms="0"');
    expect(page.body).not.toContain('secret');
    const response = await visit(service, goLinkOf(page));
    expect(response.statusCode).toBe(302);
    expect(response.headers.location).toBe(TARGET);
    await expectHits(service, 'tagged', 1);
  });

  test('allows the container to run with a new nonce and strict-dynamic, and its tags to report', async () => {
    const service = await startService();
    await makeLink(service, TAGGED);
    const page = await visit(service, '/tagged');
    const policy = String(page.headers['content-security-policy']);
    const nonce = /script-src 'nonce-([\w+/=]{24})' 'strict-dynamic'/.exec(policy)?.[1];
    expect(nonce).toBeDefined();
    expect(page.body).toContain(`nonce="${nonce}"`);
    for (const directive of ['connect-src https:', "img-src 'self' https:", 'frame-src https:']) {
      expect(policy.split('; ')).toContain(directive);
    }
    expect(policy).not.toContain('unsafe');
    const again = await visit(service, '/tagged');
    expect(again.headers['content-security-policy']).not.toContain(nonce);
  });

  test('gives only this page an opaque origin', async () => {
    const service = await startService();
    await makeLink(service, TAGGED);
    await makeLink(service, WAITING);
    const sandboxOf = async (url: string) => {
      const policy = String((await visit(service, url)).headers['content-security-policy']);
      return policy.split('; ').find((directive) => directive.startsWith('sandbox'));
    };
    const sandbox = (await sandboxOf('/tagged'))?.split(' ');
    expect(sandbox).toContain('allow-scripts');
    expect(sandbox).not.toContain('allow-same-origin');
    for (const url of ['/', '/waits', '/waits+', '/tagged+', '/nobody']) {
      expect(await sandboxOf(url), url).toBeUndefined();
    }
  });

  test('runs in the short domain’s origin if CUSTOM_GTM is unsandboxed', async () => {
    const service = await startService({ env: { CUSTOM_GTM: 'unsandboxed' } });
    await makeLink(service, TAGGED);
    const page = await visit(service, '/tagged');
    expect(page.body).toContain('data-custom-gtm-id="GTM-ABC1234"');
    expect(page.headers['content-security-policy']).toContain("'strict-dynamic'");
    expect(page.headers['content-security-policy']).not.toContain('sandbox');
  });

  test('is the only page that can load anything from another host', async () => {
    const service = await startService();
    await makeLink(service, WAITING);
    await makeLink(service, { ...TAGGED, customAlias: 'both', waitTimer: 5 });
    expect((await visit(service, '/both')).headers['content-security-policy']).toContain('https:');
    for (const url of ['/', '/waits', '/waits+', '/both+', '/nobody']) {
      const page = await visit(service, url);
      expect(page.headers['content-security-policy'], url).not.toMatch(/https?:|nonce|dynamic/);
      expect(page.body, url).not.toContain('GTM-');
      expect(page.body, url).not.toContain('googletagmanager');
    }
  });

  test('has no container if CUSTOM_GTM is off', async () => {
    const service = await startService({ env: { CUSTOM_GTM: 'off' } });
    await addLink(service, { alias: 'tagged', originalUrl: TARGET, customGtmId: 'GTM-ABC1234' });
    await addLink(service, { alias: 'both', customGtmId: 'GTM-ABC1234', waitTimer: 5 });
    const plain = await visit(service, '/tagged');
    expect(plain.statusCode).toBe(302);
    expect(plain.headers.location).toBe(TARGET);
    const page = await visit(service, '/both');
    expect(page.statusCode).toBe(200);
    expect(page.body).not.toContain('GTM-');
    expect(page.headers['content-security-policy']).not.toContain('nonce');
  });
});
