import QRCode from 'qrcode';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { isReserved } from '../../../server/domains/short-domains.ts';
import { qrPng, qrSvg } from '../../../server/links/qr-code.ts';
import { PAGE_SEGMENTS } from '../../../server/web/views/assets.ts';
import { BASE_URL, makeLink, startService } from '../support.ts';
import { visit } from './visiting.ts';

const HOSTILE = `"'><script>alert(1)</script><img src=x onerror=alert(2)>&amp;<%= it.host %>`;

describe('every page', () => {
  test('has the page headers, also error pages', async () => {
    const service = await startService();
    await makeLink(service, { customAlias: 'shown' });
    await makeLink(service, { customAlias: 'waits', waitTimer: 5 });
    await makeLink(service, { customAlias: 'tagged', customGtmId: 'GTM-ABC1234' });
    await makeLink(service, { customAlias: 'locked', password: 'x' });
    for (const url of ['/', '/shown+', '/waits', '/tagged', '/locked', '/nobody', '/%zz']) {
      const page = await visit(service, url);
      // A form must say where it comes from.
      const referrerPolicy = ['/', '/locked'].includes(url) ? 'same-origin' : 'no-referrer';
      // A proxy may add a header, which this wins over.
      expect(page.body, url).toContain(`<meta name="referrer" content="${referrerPolicy}">`);
      expect(page.headers, url).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'private, no-store',
        'referrer-policy': referrerPolicy,
        'x-content-type-options': 'nosniff',
        'x-robots-tag': 'noindex',
      });
      const policy = String(page.headers['content-security-policy']).split('; ');
      expect(policy, url).toEqual(
        expect.arrayContaining([
          "default-src 'none'",
          "style-src 'self'",
          "base-uri 'none'",
          "frame-ancestors 'none'",
        ]),
      );
    }
  });

  test('has a language, a title, a main landmark, one heading and nothing inline', async () => {
    const service = await startService();
    await makeLink(service, { customAlias: 'shown' });
    await makeLink(service, { customAlias: 'waits', waitTimer: 5 });
    await makeLink(service, { customAlias: 'locked', password: 'x' });
    for (const url of ['/', '/shown+', '/waits', '/locked', '/nobody']) {
      const { body } = await visit(service, url);
      expect(body, url).toContain('<html lang="en" dir="ltr">');
      expect(body, url).toMatch(/<title>[^<]+<\/title>/);
      expect(body.match(/<main/g), url).toHaveLength(1);
      expect(body.match(/<h1/g), url).toHaveLength(1);
      expect(body, url).not.toMatch(/<style|\sstyle=|\son\w+=|javascript:/i);
      expect(body, url).not.toMatch(/<script(?![^>]* src=)/);
      expect(body, url).not.toContain('undefined');
    }
  });

  test('escapes all values from requests', async () => {
    const service = await startService();
    const hostile = {
      originalUrl: `https://example.com/"onmouseover=alert(1)'?<script>&q=%3Cb%3E#<i>`,
      title: HOSTILE,
      description: HOSTILE,
    };
    await makeLink(service, { ...hostile, customAlias: 'shown' });
    await makeLink(service, { ...hostile, customAlias: 'waits', waitTimer: 5 });
    for (const url of ['/shown+', '/waits', '/waits+']) {
      const { body } = await visit(service, url);
      expect(body, url).not.toMatch(/<script>|<img src=x|<i>/);
      expect(body, url).not.toContain('"onmouseover');
      expect(body, url).toContain(
        '&quot;&#39;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&lt;img src=x onerror=alert(2)&gt;&amp;amp;&lt;%= it.host %&gt;',
      );
    }
  });
});

describe('GET /<alias>/qr', () => {
  test.each([
    ['qr.svg', 'image/svg+xml', qrSvg],
    ['qr.png', 'image/png', qrPng],
  ])('%s is the QR code of the short URL, as %s', async (file, type, draw) => {
    const service = await startService();
    await makeLink(service, { customAlias: 'Drawn' });
    const response = await visit(service, `/drawn/${file}`);
    expect(response.statusCode).toBe(200);
    expect(response.headers).toMatchObject({
      'content-type': type,
      'x-content-type-options': 'nosniff',
      'x-robots-tag': 'noindex',
    });
    const expected = Buffer.from(await draw(`${BASE_URL}/Drawn`));
    expect(response.rawPayload.equals(expected)).toBe(true);
  });

  test('qr.svg has a size, which Word and Inkscape need', async () => {
    const service = await startService();
    await makeLink(service, { customAlias: 'drawn' });
    const { body } = await visit(service, '/drawn/qr.svg');
    expect(body).toMatch(/^<svg [^>]*width="512" height="512" viewBox="0 0 \d+ \d+"/);
  });

  test.each(['qr.svg', 'qr.png'])('%s is rendered once, and never for HEAD', async (file) => {
    const service = await startService();
    await makeLink(service, { customAlias: 'drawn' });
    const renderings = countRenderings();
    const head = await visit(service, `/drawn/${file}`, { method: 'HEAD' });
    expect(head.statusCode).toBe(200);
    expect(head.headers).not.toHaveProperty('content-length');
    expect(renderings()).toBe(0);
    const first = await visit(service, `/drawn/${file}`);
    const again = await visit(service, `/DRAWN/${file}`);
    expect(renderings()).toBe(1);
    expect(again.rawPayload.equals(first.rawPayload)).toBe(true);
    expect(head.headers.etag).toBe(first.headers.etag);
    expect(head.headers['content-type']).toBe(first.headers['content-type']);
  });

  test('answers 304 without rendering if the client has the image', async () => {
    const service = await startService();
    await makeLink(service, { customAlias: 'drawn' });
    await makeLink(service, { customAlias: 'other' });
    const etags: string[] = [];
    for (const url of ['/drawn/qr.svg', '/drawn/qr.png', '/other/qr.png']) {
      etags.push(String((await visit(service, url, { method: 'HEAD' })).headers.etag));
    }
    expect(new Set(etags).size).toBe(3);
    const [svg = '', png = ''] = etags;
    const renderings = countRenderings();
    for (const header of [png, `W/${png}`, `"old", ${png}`, '*']) {
      const response = await visit(service, '/drawn/qr.png', {
        headers: { 'if-none-match': header },
      });
      expect(response.statusCode, header).toBe(304);
      expect(response.body).toBe('');
      expect(response.headers.etag).toBe(png);
    }
    expect(renderings()).toBe(0);
    const changed = await visit(service, '/drawn/qr.png', { headers: { 'if-none-match': svg } });
    expect(changed.statusCode).toBe(200);
  });
});

/** @returns a function with the number of codes that the library has computed since */
function countRenderings(): () => number {
  const spies = [vi.spyOn(QRCode, 'create'), vi.spyOn(QRCode, 'toString')];
  onTestFinished(() => {
    for (const spy of spies) spy.mockRestore();
  });
  return () => spies.reduce((sum, spy) => sum + spy.mock.calls.length, 0);
}

describe('the server’s own pages and files', () => {
  test('GET / explains the server and leads to its API', async () => {
    const service = await startService();
    const page = await visit(service, '/');
    expect(page.statusCode).toBe(200);
    expect(page.body).toContain('Curt');
    expect(page.body).toContain('href="/api/docs"');
  });

  test('GET /robots.txt lets crawlers see that links must not be indexed', async () => {
    const service = await startService();
    const response = await visit(service, '/robots.txt');
    expect(response.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(response.body).toContain('User-agent: *\nDisallow: /api/\n');
  });

  test('GET /favicon.svg is the icon, and /favicon.ico redirects to it', async () => {
    const service = await startService();
    const mark = await visit(service, '/favicon.svg');
    expect(mark.statusCode).toBe(200);
    expect(mark.headers['content-type']).toBe('image/svg+xml');
    expect((await visit(service, '/favicon.ico')).headers.location).toBe('/favicon.svg');
  });

  test('serves the assets of pages with version and ETag', async () => {
    const service = await startService();
    await makeLink(service, { customAlias: 'waits', waitTimer: 5 });
    const { body } = await visit(service, '/waits');
    const loaded = [...body.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, url]) => url);
    expect(loaded).toHaveLength(4);
    for (const url of loaded) {
      expect(url).toMatch(/\?v=\d+\.\d+\.\d+$/);
      const response = await visit(service, String(url));
      expect(response.statusCode, url).toBe(200);
      expect(response.headers['cache-control']).toContain('max-age=3600');
      expect(response.headers['x-content-type-options']).toBe('nosniff');
      const headers = { 'if-none-match': String(response.headers.etag) };
      expect((await visit(service, String(url), { headers })).statusCode).toBe(304);
      // In an upgrade, another server may have the page of the next version.
      const other = await visit(service, `${url}1`);
      expect(other.headers['cache-control']).toBe('no-cache');
    }
  });

  test('ignores Range and serves complete files', async () => {
    const service = await startService();
    for (const range of ['bytes=0-3', 'bytes=9999999-', 'bytes=5-1', 'lines=1-2', 'bytes=a']) {
      const response = await visit(service, '/assets/curt.css', { headers: { range } });
      expect(response.statusCode, range).toBe(200);
      expect(response.headers['content-type']).toBe('text/css; charset=utf-8');
      expect(response.rawPayload).toHaveLength(Number(response.headers['content-length']));
    }
  });

  test('serves no other files', async () => {
    const service = await startService();
    for (const url of ['/assets/', '/assets/../pages.ts', '/assets/%2e%2e/pages.ts', '/assets/x']) {
      expect((await visit(service, url)).statusCode, url).toBe(404);
    }
  });

  test('use only first path segments that are reserved or not valid aliases', async () => {
    const service = await startService();
    for (const segment of PAGE_SEGMENTS) {
      expect(segment.includes('.') || isReserved(segment), segment).toBe(true);
    }
    const routes = service.app.printRoutes({ commonPrefix: false });
    const segments = [...routes.matchAll(/^ {4}[├└]── ([^/\s]+)/gm)].map(([, segment]) => segment);
    const known = [...PAGE_SEGMENTS, 'api', 'dashboard', 'rest', 'yourls-api.php', ':alias', '*'];
    expect(segments.filter((segment) => !known.includes(String(segment)))).toEqual([]);
    expect(segments).toContain('robots.txt');
  });
});
