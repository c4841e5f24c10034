import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { talk } from '../raw-http.ts';
import { makeLink, shorten, startService, type TestService } from '../support.ts';
import { addLink, BROWSER, expectHits, goLinkOf, visit } from './visiting.ts';

const MINUTE_MS = 60_000;

/** The bytes: URL parsers and `app.inject` would change `//sale`. */
const requestOf = (path: string) =>
  `GET ${path} HTTP/1.1\r\nHost: s.example\r\nUser-Agent: ${BROWSER}\r\nConnection: close\r\n\r\n`;

describe('GET /<alias>', () => {
  test('redirects to the target with 302, not cached and not indexed', async () => {
    const service = await startService();
    await makeLink(service, { customAlias: 'plain', originalUrl: 'https://example.com/a?b=c#d' });
    const response = await visit(service, '/plain');
    expect(response.statusCode).toBe(302);
    expect(response.headers).toMatchObject({
      location: 'https://example.com/a?b=c#d',
      'cache-control': 'private, no-store',
      'x-robots-tag': 'noindex',
    });
    expect(response.body).toBe('');
  });

  test('finds the alias in any case, percent-encoded or with a query', async () => {
    const service = await startService();
    await makeLink(service, { customAlias: 'MixedCase' });
    for (const url of [
      '/MixedCase',
      '/mixedcase',
      '/MIXEDCASE',
      '/%4dixedcase',
      '/mixedcase?a=%zz',
    ]) {
      expect((await visit(service, url)).statusCode, url).toBe(302);
    }
  });

  test('finds the alias without what a chat adds to it', async () => {
    const service = await startService();
    await makeLink(service, { customAlias: 'sale', originalUrl: 'https://example.com/a' });
    // Japanese and Chinese have no space behind a URL.
    const paths = `
      /sale. /sale) /sale, /sale!? /sale; /sale' /sale" /sale%22 /sale> /sale%E2%80%8B
      /sale%EF%BB%BF /sale%C2%A0 /sale%20 /sale%0A /sale%E3%80%82 /sale%E2%80%9D
      /sale%EF%BC%8C%E5%A5%BD /sale% /sale.%E2%80%8B). /sale* /sale&gt; /sale&quot;&gt;
      /sale%3Cbr%3E /sale%3C/a%3E /sale</p> /sale&nbsp; /sale%22%20target=%22_blank%22
      /sale&#39; /sale&#x27;&gt;more&lt;/a&gt; /sa%C2%ADle /sa%E2%80%8Ble /%E2%81%A0sale
      /sale./ //sale ///sale. //sale/ /sale.?utm=x
      /sale](https://s.example/sale) /sale%5D%28https://s.example/sale%29
      /sale|Big%20sale> /sale%7CBig /sale%C2%A0and /%C2%A0sale
      /sale%E3%82%92PDF%E3%81%A7 /sale%EF%BC%88http://t.example/x%EF%BC%89
    `.match(/\S+/g) as string[];
    for (const path of paths) {
      const answer = await talk(service.app, requestOf(path));
      expect(answer, path).toMatch(/^HTTP\/1.1 302 /);
      expect(answer, path).toMatch(/\r\nlocation: https:\/\/example.com\/a\r\n/);
    }
    await expectHits(service, 'sale', paths.length);
  });

  test.each(['/m%C3%BCller', '/m%20x', '/m.png', '/m%D0%B8x'])(
    'takes no part of a word for an alias: %s',
    async (path) => {
      const service = await startService();
      await makeLink(service, { customAlias: 'm' });
      expect(await talk(service.app, requestOf(path))).toMatch(/^HTTP\/1.1 404 /);
    },
  );

  test('finds the alias without what a chat adds to a path below it', async () => {
    const service = await startService();
    await makeLink(service, { customAlias: 'sale' });
    for (const [path, content] of [
      ['/sale.+', '<h1'],
      ['/sale+)', '<h1'],
      ['//sale+', '<h1'],
      ['/sale%E2%80%8B+.', '<h1'],
      ['/sale./qr.svg', '<svg'],
      ['/sale/qr.svg)', '<svg'],
      ['//sale//qr.svg', '<svg'],
      ['/sale,/qr.png%E3%80%82', 'PNG'],
      ['/SALE/QR.SVG', '<svg'],
      ['/sale+%3C/a%3E', '<h1'],
      ['/sale/qr.svg%22', '<svg'],
    ] as const) {
      const answer = await talk(service.app, requestOf(path));
      expect(answer, path).toMatch(/^HTTP\/1.1 200 /);
      expect(answer, path).toContain(content);
    }
  });

  test('finds an alias whose hyphens a word processor has replaced', async () => {
    const service = await startService();
    await makeLink(service, { customAlias: 'big-sale' });
    for (const path of ['/big%E2%80%90sale', '/big%E2%80%91sale', '/big%E2%80%91sale%E2%80%94']) {
      expect(await talk(service.app, requestOf(path)), path).toMatch(/^HTTP\/1.1 302 /);
    }
  });

  test('takes parameters that a mail program appends without "?" as the query', async () => {
    const service = await startService();
    const originalUrl = 'https://example.com/a';
    await makeLink(service, { customAlias: 'sale', originalUrl, forwardQuery: true });
    for (const [path, query] of [
      ['/sale&utm_source=a%20b&utm_medium=mail', 'utm_source=a%20b&utm_medium=mail'],
      ['/sale&id=1?x=2', 'id=1&x=2'],
      ['/sale/&filter%5B%5D=1#top', 'filter%5B%5D=1'],
      ['/sale&amp;a=1&amp;b=2', 'a=1&b=2'],
      ['/sale?a=%3Cb%3E', 'a=%3Cb%3E'],
    ] as const) {
      const answer = await talk(service.app, requestOf(path));
      expect(answer).toContain(`location: ${originalUrl}?${query}\r\n`);
    }
  });

  test('finds no link at paths that were meant differently', async () => {
    const service = await startService();
    await makeLink(service, { customAlias: 'sale' });
    // `sale&more` is an alias of another shortener.
    for (const path of [
      ...['/sale.html', '/sale&more', '/sale.html&a=1', '/sale,now', '/.sale', '/sale/x.'],
      ...['/api./health', '/s.ale'],
    ]) {
      expect(await talk(service.app, requestOf(path)), path).toMatch(/^HTTP\/1.1 404 /);
    }
  });

  test('takes the password, and goes on after the wait, with punctuation at the alias', async () => {
    const service = await startService();
    await makeLink(service, { customAlias: 'secret', password: 'right', waitTimer: 1 });
    const form = await visit(service, '/secret.');
    expect(form.body).toContain('type="password"');
    const page = await visit(service, '/secret)', { form: { password: 'right' } });
    expect(page.statusCode).toBe(200);
    const go = goLinkOf(page);
    await service.clock.advance(1000);
    expect((await visit(service, go.replace('/secret/go', '/secret./go'))).statusCode).toBe(302);
  });

  test('counts an unknown alias with punctuation as unknown', async () => {
    const service = await startService({ env: { UNKNOWN_PER_MINUTE: '1' } });
    expect((await visit(service, '/nothing.')).statusCode).toBe(404);
    expect((await visit(service, '/nothing.')).statusCode).toBe(429);
  });

  test('sends the serialized target, so that no header can be injected', async () => {
    const service = await startService();
    const targets = {
      'HTTPS://EXAMPLE.com': 'https://example.com/',
      'https://bücher.example/straße?q=ü': 'https://xn--bcher-kva.example/stra%C3%9Fe?q=%C3%BC',
      'https://example.com/a b"<>': 'https://example.com/a%20b%22%3C%3E',
      'https://example.com/\u2028%0d%0aSet-Cookie:x=y':
        'https://example.com/%E2%80%A8%0d%0aSet-Cookie:x=y',
    };
    for (const [originalUrl, location] of Object.entries(targets)) {
      const { alias } = await makeLink(service, { originalUrl });
      const response = await visit(service, `/${alias}`);
      expect(response.headers.location).toBe(location);
      expect(response.headers).not.toHaveProperty('set-cookie');
    }
  });

  test('sends the longest target within 16 KiB of headers', async () => {
    const service = await startService();
    const originalUrl = `https://example.com/${'例'.repeat(1704)}${'x'.repeat(4)}`;
    const { alias } = await makeLink(service, { originalUrl });
    const tooLong = await shorten(service, { originalUrl: `${originalUrl}x` });
    expect([tooLong.statusCode, tooLong.json().code]).toEqual([400, 'invalid_url']);
    const address = await service.app.listen({ port: 0 });
    const response = await fetch(`${address}/${alias}`, { redirect: 'manual' });
    expect(response.headers.get('location')).toBe(new URL(originalUrl).href);
    expect(response.headers.get('location')).toHaveLength(15 * 1024);
  });

  test('sends the target as serialized on creation, without parsing a URL', async () => {
    const service = await startService();
    const target = {
      originalUrl: 'https://unparsed.example/',
      targetUrl: 'https://a.example:8443/%20',
    };
    await addLink(service, { alias: 'plain', ...target });
    await addLink(service, { alias: 'waits', ...target, waitTimer: 5 });
    expect((await visit(service, '/plain')).headers.location).toBe(target.targetUrl);
    const pages = ['/plain+', '/waits', '/waits+'];
    for (const url of pages) {
      const { body } = await visit(service, url);
      expect(body, url).toMatch(/[> ]a\.example:8443</);
      expect(body, url).not.toContain('unparsed');
    }
    expect((await visit(service, '/plain+')).body).toContain(`>${target.targetUrl}<`);
  });

  test('gives HEAD requests, bots and prefetches the same response without counting a hit', async () => {
    const service = await startService();
    await makeLink(service, { customAlias: 'counted' });
    const real = await visit(service, '/counted');
    const quiet = [
      { method: 'HEAD' as const },
      { headers: { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1)' } },
      { headers: { 'user-agent': 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)' } },
      { headers: { 'sec-purpose': 'prefetch' } },
      { headers: { 'sec-purpose': 'prefetch;prerender' } },
      { headers: { purpose: 'prefetch' } },
      { headers: { 'x-moz': 'prefetch' } },
    ];
    for (const options of quiet) {
      const response = await visit(service, '/counted', options);
      expect(response.statusCode).toBe(302);
      expect({ ...response.headers, date: '' }).toEqual({ ...real.headers, date: '' });
    }
    await visit(service, '/counted');
    await expectHits(service, 'counted', 2);
  });

  test('answers 404 with a page for what is not an alias', async () => {
    const service = await startService();
    await makeLink(service, { customAlias: 'plain' });
    for (const [name, url] of [
      ['an unknown alias', '/nobody'],
      ['an alias of 64 characters that nobody has', `/${'a'.repeat(64)}`],
      ['more than 64 characters', `/${'a'.repeat(65)}`],
      ['a very long path', `/${'a'.repeat(10_000)}`],
      ['characters that no alias has', '/wp-login.php'],
      ['a slash in the alias', '/plain%2Fgo'],
      ['a broken percent escape', '/%zz'],
      ['bytes that are no text', '/%ff'],
      ['an unknown alias with a plus', '/nobody+'],
      ['two pluses', '/plain++'],
      ['the go-link of an unknown alias', '/nobody/go?t=x'],
      ['the QR code of an unknown alias', '/nobody/qr.svg'],
      ['a path below an alias', '/plain/else'],
    ] as const) {
      const response = await visit(service, url);
      expect(response.statusCode, name).toBe(404);
      expect(response.headers['content-type'], name).toBe('text/html; charset=utf-8');
      expect(response.body, name).toContain('<h1>Link not found</h1>');
    }
  });

  test('answers 410 with a page from the millisecond of the expiry on', async () => {
    const service = await startService();
    await makeLink(service, { customAlias: 'brief', expiresInMinutes: 1 });
    await service.clock.advance(MINUTE_MS - 1);
    expect((await visit(service, '/brief')).statusCode).toBe(302);
    await service.clock.advance(1);
    for (const url of ['/brief', '/brief+', '/brief/go?t=x', '/brief/qr.svg', '/brief/qr.png']) {
      const response = await visit(service, url);
      expect(response.statusCode, url).toBe(410);
      expect(response.body).toContain('<h1>This link no longer works</h1>');
      expect(response.headers).not.toHaveProperty('location');
    }
    expect((await visit(service, '/brief', { form: { password: 'x' } })).statusCode).toBe(410);
    await expectHits(service, 'brief', 1);
  });

  test('answers a malformed percent escape under /api like the API', async () => {
    const service = await startService();
    const response = await visit(service, '/api/%zz');
    expect(response.statusCode).toBe(404);
    expect(response.json()).toMatchObject({ success: false, code: 'not_found' });
  });

  test('answers 404 and 410 as JSON if Accept prefers it', async () => {
    const service = await startService();
    await addLink(service, { alias: 'off', isActive: false });
    const headers = { accept: 'application/json' };
    const unknown = await visit(service, '/nobody', { headers });
    expect(unknown.statusCode).toBe(404);
    expect(unknown.json()).toMatchObject({ success: false, code: 'not_found' });
    const gone = await visit(service, '/off', { headers });
    expect(gone.statusCode).toBe(410);
    expect(gone.json()).toMatchObject({ success: false, code: 'link_gone' });
  });
});

describe('unknown aliases', () => {
  test('are not counted for reserved words and other paths that cannot be an alias', async () => {
    const service = await startService();
    for (let time = 0; time < 70; time++) {
      for (const path of ['/dashboard', '/assets', '/wp-login.php']) {
        expect((await visit(service, path)).statusCode).toBe(404);
      }
    }
  });

  test('are limited to 60 per minute and client, then known aliases get a 429, too', async () => {
    const service = await startService();
    await makeLink(service, { customAlias: 'known' });
    for (let miss = 1; miss <= 60; miss++) {
      expect((await visit(service, `/guess${miss}`)).statusCode).toBe(404);
    }
    await service.clock.advance(15_000);
    for (const url of ['/guess61', '/known', '/known+', '/known/go', '/known/qr.svg']) {
      const response = await visit(service, url);
      expect(response.statusCode, url).toBe(429);
      expect(response.headers['retry-after']).toBe('45');
      expect(response.body).toContain('Try again in 45 seconds');
    }
    expect((await visit(service, '/known', { remoteAddress: '192.0.2.7' })).statusCode).toBe(302);
    await service.clock.advance(45_000);
    expect((await visit(service, '/known')).statusCode).toBe(302);
    await expectHits(service, 'known', 2);
  });

  test('do not include existing links and paths that cannot be an alias', async () => {
    const service = await startService();
    await makeLink(service, { customAlias: 'known' });
    for (let time = 1; time <= 61; time++) {
      await visit(service, '/known');
      await visit(service, '/wp-login.php');
    }
    expect((await visit(service, '/known')).statusCode).toBe(302);
    expect((await visit(service, '/nobody')).statusCode).toBe(404);
  });
});

describe('the limit of unknown aliases', () => {
  test('is set by UNKNOWN_PER_MINUTE', async () => {
    const service = await startService({ env: { UNKNOWN_PER_MINUTE: '2' } });
    const statuses = [];
    for (const url of ['/guess1', '/guess2', '/guess3']) {
      statuses.push((await visit(service, url)).statusCode);
    }
    expect(statuses).toEqual([404, 404, 429]);
  });

  test('applies to requests that arrive in one packet', async () => {
    const service = await startService({ env: { UNKNOWN_PER_MINUTE: '10' } });
    await makeLink(service, { customAlias: 'known' });
    // The maximum that one connection can pipeline.
    const guesses = Array.from({ length: 31 }, (_, n) => `guess${n}`);
    const statuses = await sendInOnePacket(service, [...guesses, 'known']);
    expect(statuses).toEqual([...Array(10).fill(404), ...Array(22).fill(429)]);
  });

  test('does not affect known aliases in one packet', async () => {
    const service = await startService({ env: { UNKNOWN_PER_MINUTE: '2' } });
    await makeLink(service, { customAlias: 'known' });
    expect(await sendInOnePacket(service, Array(32).fill('known'))).toEqual(Array(32).fill(302));
  });
});

describe('behind a proxy that is not in TRUST_PROXY', () => {
  const PROXY = '172.17.0.1';
  const forwarded = (remoteAddress = PROXY) => ({
    remoteAddress,
    headers: { 'x-forwarded-for': '198.51.100.7' },
  });

  test('only unknown aliases get a 429, because all visitors look like one client', async () => {
    const service = await startService({ env: { UNKNOWN_PER_MINUTE: '2' } });
    await makeLink(service, { customAlias: 'known' });
    // The operator tests the server on the machine itself.
    expect((await visit(service, '/known')).statusCode).toBe(302);
    const statuses = [];
    for (const url of ['/guess1', '/guess2', '/guess3', '/known', '/known', '/guess4']) {
      statuses.push((await visit(service, url, forwarded())).statusCode);
    }
    expect(statuses).toEqual([404, 404, 429, 302, 302, 429]);
  });

  test('known aliases get a 429 once a visitor has another address: the header is forged', async () => {
    const service = await startService({ env: { UNKNOWN_PER_MINUTE: '2' } });
    await makeLink(service, { customAlias: 'known' });
    expect((await visit(service, '/known', { remoteAddress: '192.0.2.7' })).statusCode).toBe(302);
    const statuses = [];
    for (const url of ['/guess1', '/guess2', '/guess3', '/known']) {
      statuses.push((await visit(service, url, forwarded())).statusCode);
    }
    expect(statuses).toEqual([404, 404, 429, 429]);
  });

  test('known aliases get a 429 without X-Forwarded-For', async () => {
    const service = await startService({ env: { UNKNOWN_PER_MINUTE: '1' } });
    await makeLink(service, { customAlias: 'known' });
    expect((await visit(service, '/guess', { remoteAddress: PROXY })).statusCode).toBe(404);
    expect((await visit(service, '/known', { remoteAddress: PROXY })).statusCode).toBe(429);
  });

  test('a warning is logged at startup if BASE_URL is https', async () => {
    const warnings = async (env: Record<string, string>) =>
      (await startService({ env })).logLines.filter((line) => line.includes('TRUST_PROXY'));
    expect(await warnings({})).toHaveLength(1);
    expect(await warnings({ BASE_URL: 'http://s.example' })).toHaveLength(0);
    expect(await warnings({ TRUST_PROXY: '127.0.0.1' })).toHaveLength(0);
  });
});

/** The statuses of HEAD requests for these aliases, sent in one write on one connection. */
async function sendInOnePacket({ app }: TestService, aliases: string[]): Promise<number[]> {
  if (!app.server.listening) await app.listen({ port: 0, host: '127.0.0.1' });
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  const requests = aliases.map(
    (alias, index) =>
      `HEAD /${alias} HTTP/1.1\r\nHost: s.example\r\n${index === aliases.length - 1 ? 'Connection: close\r\n' : ''}\r\n`,
  );
  socket.write(requests.join(''));
  const answer = await text(socket);
  return [...answer.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => Number(status));
}

describe('GET /<alias>+', () => {
  test('shows target, title, description and expiry without redirecting', async () => {
    const service = await startService();
    await makeLink(service, {
      customAlias: 'shown',
      originalUrl: 'https://shop.example.com/coats?colour=green&size=m',
      title: 'Autumn coats',
      description: 'Line one\nLine two',
      expiresAt: '2027-01-31T13:30:00+01:00',
    });
    for (const url of ['/shown+', '/SHOWN+', '/shown%2B']) {
      const page = await visit(service, url);
      expect(page.statusCode).toBe(200);
      expect(page.body).toContain('>https://shop.example.com/coats?colour=green&amp;size=m<');
      expect(page.body).toContain('>shop.example.com<');
      expect(page.body).toContain('Autumn coats');
      expect(page.body).toContain('Line one\nLine two');
      expect(page.body).toContain('<time datetime="2027-01-31T12:30:00.000Z">');
      expect(page.body).toMatch(/>January 31, 2027 at 12:30\sPM UTC</);
      expect(page.body).toMatch(/href="\/shown"/i);
      expect(page.body).not.toMatch(/http-equiv|href="https:/);
      // They only ignore double clicks, and write the time in the visitor's time zone.
      const scripts = page.body.match(/<script.*/g);
      expect(scripts).toEqual([
        expect.stringContaining('src="/assets/once.js?v='),
        expect.stringContaining('src="/assets/local-times.js?v='),
      ]);
    }
    await visit(service, '/shown');
    await expectHits(service, 'shown', 1);
  });

  test('shows only the host if the link has a wait', async () => {
    const service = await startService();
    await makeLink(service, {
      customAlias: 'waits',
      originalUrl: 'https://example.com:8443/secret?path=1',
      waitTimer: 10,
    });
    const page = await visit(service, '/waits+');
    expect(page.statusCode).toBe(200);
    expect(page.body).toContain('>example.com:8443<');
    expect(page.body).toContain('10 seconds');
    expect(page.body).not.toContain('secret');
    expect(page.body).not.toContain('/go?t=');
  });

  test('shows only the hosts if the link has a visit limit, which opening the page would go around', async () => {
    const service = await startService();
    await makeLink(service, {
      customAlias: 'few',
      originalUrl: 'https://example.com/secret',
      rules: [{ device: 'phone', originalUrl: 'https://m.example.com/secret' }],
      goneUrl: 'https://example.net/secret',
      maxVisits: 3,
    });
    const page = await visit(service, '/few+');
    for (const host of ['example.com', 'm.example.com', 'example.net']) {
      expect(page.body).toContain(`>${host}<`);
    }
    expect(page.body).toContain('Only a limited number of visitors can see the full address.');
    expect(page.body).not.toContain('secret');
  });

  test('shows the target of a link with a container and no wait', async () => {
    const service = await startService();
    await makeLink(service, { customAlias: 'tagged', customGtmId: 'GTM-ABC1234' });
    const page = await visit(service, '/tagged+');
    expect(page.body).toContain('>https://example.com/page<');
    expect(page.body).not.toContain('GTM-ABC1234');
  });
});
