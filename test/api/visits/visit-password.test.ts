import { describe, expect, test } from 'vitest';
import type { LinkRecord } from '../../../shared/links/link-record.ts';
import { call, makeLink, startService } from '../support.ts';
import { addLink, expectHits, goLinkOf, visit } from './visiting.ts';

const LOCKED = {
  customAlias: 'locked',
  originalUrl: 'https://secret.example/path',
  password: 'open sesame',
  title: 'Hidden title',
  description: 'Hidden description',
};
const RIGHT = { form: { password: LOCKED.password } };
const WRONG = { form: { password: 'open barley' } };
const MINUTE_MS = 60_000;

describe('GET of a link with a password', () => {
  test.each(['/locked', '/locked+'])(
    'shows only a form at %s, without title, description or target',
    async (url) => {
      const service = await startService();
      await makeLink(service, LOCKED);
      const page = await visit(service, url);
      expect(page.statusCode).toBe(200);
      expect(page.body).toMatch(
        new RegExp(`<form [^>]*method="post" action="${url.replace('+', '\\+')}"`),
      );
      expect(page.body).toContain('<label for="password">');
      expect(page.body).toContain('autocomplete="current-password"');
      expect(page.body).not.toContain('aria-invalid');
      expect(page.body).not.toMatch(/hidden (title|description)|secret\.example/i);
      expect(page.headers).not.toHaveProperty('location');
    },
  );

  test('ignores a password in the URL', async () => {
    const service = await startService();
    await makeLink(service, LOCKED);
    const page = await visit(service, `/locked?password=${encodeURIComponent(LOCKED.password)}`);
    expect(page.statusCode).toBe(200);
    expect(page.body).toContain('<form');
    await expectHits(service, 'locked', 0);
  });

  test('has a QR code of the short URL, not of the target', async () => {
    const service = await startService();
    await makeLink(service, LOCKED);
    expect((await visit(service, '/locked/qr.svg')).statusCode).toBe(200);
  });

  test('cannot be bypassed with a forged go-link', async () => {
    const service = await startService();
    await makeLink(service, LOCKED);
    const response = await visit(service, '/locked/go?t=0.x');
    expect(response.statusCode).toBe(302);
    expect(response.headers.location).toBe('/locked');
  });
});

describe('POST of the right password', () => {
  test('redirects to the target with 303 and counts a hit', async () => {
    const service = await startService();
    await makeLink(service, LOCKED);
    const response = await visit(service, '/locked', RIGHT);
    expect(response.statusCode).toBe(303);
    expect(response.headers).toMatchObject({
      location: 'https://secret.example/path',
      'cache-control': 'private, no-store',
      'x-robots-tag': 'noindex',
    });
    await expectHits(service, 'locked', 1);
  });

  test('accepts composed and decomposed characters, spaces and symbols', async () => {
    const service = await startService();
    await makeLink(service, { ...LOCKED, password: ' é+%&=😀 ' });
    for (const password of [' é+%&=😀 ', ' e\u0301+%&=😀 ']) {
      expect((await visit(service, '/locked', { form: { password } })).statusCode).toBe(303);
    }
  });

  test.each(['open sesame ', 'open sesame\r\n', ' \u00a0\topen sesame\u2003'])(
    'accepts %j, as it was pasted with white space around it',
    async (password) => {
      const service = await startService();
      await makeLink(service, LOCKED);
      // More often than wrong ones are allowed.
      for (let time = 1; time <= 6; time++) {
        expect((await visit(service, '/locked', { form: { password } })).statusCode).toBe(303);
      }
    },
  );

  test('accepts 128 characters with white space around them', async () => {
    const service = await startService();
    const password = 'x'.repeat(128);
    await makeLink(service, { ...LOCKED, password });
    const form = { password: `${password}\n` };
    expect((await visit(service, '/locked', { form })).statusCode).toBe(303);
  });

  test('accepts 128 characters of any kind', async () => {
    const service = await startService();
    const password = '😀'.repeat(128);
    await makeLink(service, { ...LOCKED, password });
    expect((await visit(service, '/locked', { form: { password } })).statusCode).toBe(303);
  });

  test('shows the preview page if the link has a wait', async () => {
    const service = await startService();
    await makeLink(service, { ...LOCKED, waitTimer: 10 });
    const page = await visit(service, '/locked', RIGHT);
    expect(page.statusCode).toBe(200);
    expect(page.body).toContain('Hidden title');
    expect(page.body).not.toContain('secret.example/path');
    const go = goLinkOf(page);
    expect((await visit(service, go)).statusCode).toBe(425);
    await service.clock.advance(10_000);
    expect((await visit(service, go)).headers.location).toBe('https://secret.example/path');
    await expectHits(service, 'locked', 1);
  });

  test('shows the preview page if the link has a container', async () => {
    const service = await startService();
    await makeLink(service, { ...LOCKED, customGtmId: 'GTM-ABC1234' });
    const page = await visit(service, '/locked', RIGHT);
    expect(page.statusCode).toBe(200);
    expect(page.body).toContain('data-custom-gtm-id="GTM-ABC1234"');
  });

  test('at /<alias>+ shows where the link goes and counts no hit before "Continue"', async () => {
    const service = await startService();
    await makeLink(service, LOCKED);
    const page = await visit(service, '/locked+', RIGHT);
    expect(page.statusCode).toBe(200);
    expect(page.body).toContain('>https://secret.example/path<');
    expect(page.body).toContain('Hidden title');
    await expectHits(service, 'locked', 0);
    const go = /href="(\/locked\/go\?t=[^"]+)"/.exec(page.body)?.[1];
    const response = await visit(service, String(go));
    expect(response.headers.location).toBe('https://secret.example/path');
    await expectHits(service, 'locked', 1);
  });

  test('allows form redirects to any web address in the CSP', async () => {
    const service = await startService();
    await makeLink(service, LOCKED);
    const policyOf = async (url: string) =>
      String((await visit(service, url)).headers['content-security-policy']).split('; ');
    expect(await policyOf('/locked')).toContain("form-action 'self' http: https:");
    expect(await policyOf('/nobody')).toContain("form-action 'none'");
  });

  test('redirects to the target if the link has no password', async () => {
    const service = await startService();
    await makeLink(service, { customAlias: 'open' });
    expect((await visit(service, '/open', WRONG)).statusCode).toBe(303);
  });
});

describe('POST of a wrong password', () => {
  test('answers 401 with the form and an error message for its field', async () => {
    const service = await startService();
    await makeLink(service, LOCKED);
    for (const url of ['/locked', '/locked+']) {
      const page = await visit(service, url, WRONG);
      expect(page.statusCode).toBe(401);
      expect(page.body).toContain(`action="${url}"`);
      expect(page.body).toMatch(/<input id="password"[^>]* aria-invalid="true"/);
      const described = /aria-describedby="([^"]+)"/.exec(page.body)?.[1];
      expect(page.body).toMatch(new RegExp(`id="${described}"[^>]*>Wrong password`));
      expect(page.body).not.toContain(WRONG.form.password);
      expect(page.body).not.toMatch(/hidden (title|description)|secret\.example/i);
    }
    await expectHits(service, 'locked', 0);
  });

  test('counts one with white space around it once', async () => {
    const service = await startService();
    await makeLink(service, LOCKED);
    for (let time = 1; time <= 5; time++) {
      const form = { password: ' open barley ' };
      expect((await visit(service, '/locked', { form })).statusCode).toBe(401);
    }
    expect((await visit(service, '/locked', RIGHT)).statusCode).toBe(429);
  });

  test('answers with JSON to clients that prefer it', async () => {
    const service = await startService();
    await makeLink(service, LOCKED);
    const response = await visit(service, '/locked', {
      ...WRONG,
      headers: { accept: 'application/json' },
    });
    expect(response.statusCode).toBe(401);
    expect(response.json()).toMatchObject({ success: false, code: 'wrong_password' });
  });

  test.each([
    ['no field', {}],
    ['an empty one', { password: '' }],
    ['another case', { password: 'Open Sesame' }],
    ['one of more than 128 characters', { password: 'x'.repeat(129) }],
  ])('treats %s as wrong', async (_name, form) => {
    const service = await startService();
    await makeLink(service, LOCKED);
    for (let time = 1; time <= 5; time++) {
      expect((await visit(service, '/locked', { form })).statusCode).toBe(401);
    }
    expect((await visit(service, '/locked', RIGHT)).statusCode).toBe(429);
  });

  test('verifies no hash for a password that no link can have', async () => {
    const service = await startService();
    await addLink(service, { alias: 'locked', passwordHash: 'a hash that would be an error' });
    for (const form of [{}, { password: '' }, { password: 'x'.repeat(129) }]) {
      expect((await visit(service, '/locked', { form })).statusCode).toBe(401);
    }
    expect((await visit(service, '/locked', RIGHT)).statusCode).toBe(500);
  });

  test('rejects a form with two passwords', async () => {
    const service = await startService();
    await makeLink(service, LOCKED);
    const response = await service.app.inject({
      method: 'POST',
      url: '/locked',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'password=open+sesame&password=open+sesame',
    });
    expect(response.statusCode).toBe(401);
  });

  test('rejects a form larger than 4 KiB with 413', async () => {
    const service = await startService();
    await makeLink(service, LOCKED);
    const form = { password: 'x'.repeat(5000) };
    const page = await visit(service, '/locked', { form });
    expect(page.statusCode).toBe(413);
    expect(page.body).toContain('more data than a password can have');
  });
});

describe('the limits on password attempts', () => {
  test('are 5 wrong ones per minute, link and client, then 429 even for the right one', async () => {
    const service = await startService();
    await makeLink(service, LOCKED);
    await makeLink(service, { ...LOCKED, customAlias: 'second' });
    for (let time = 1; time <= 5; time++) {
      expect((await visit(service, '/locked', WRONG)).statusCode).toBe(401);
    }
    await service.clock.advance(20_000);
    for (const options of [WRONG, RIGHT]) {
      const response = await visit(service, '/locked', options);
      expect(response.statusCode).toBe(429);
      expect(response.headers['retry-after']).toBe('40');
      expect(response.body).toContain('Try again in 40 seconds');
    }
    expect((await visit(service, '/second', RIGHT)).statusCode).toBe(303);
    const elsewhere = { ...RIGHT, remoteAddress: '192.0.2.7' };
    expect((await visit(service, '/locked', elsewhere)).statusCode).toBe(303);
    await service.clock.advance(40_000);
    expect((await visit(service, '/locked', RIGHT)).statusCode).toBe(303);
  });

  test('apply to concurrent attempts', async () => {
    const service = await startService();
    await makeLink(service, LOCKED);
    const tries = Array.from({ length: 12 }, () => visit(service, '/locked', WRONG));
    const statuses = (await Promise.all(tries)).map(({ statusCode }) => statusCode);
    expect(statuses.filter((status) => status === 401)).toHaveLength(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(7);
  });

  test('do not count the right password as a wrong one', async () => {
    const service = await startService();
    await makeLink(service, LOCKED);
    for (let time = 1; time <= 8; time++) {
      expect((await visit(service, '/locked', RIGHT)).statusCode).toBe(303);
    }
    for (let time = 1; time <= 5; time++) {
      expect((await visit(service, '/locked', WRONG)).statusCode).toBe(401);
    }
  });

  test('allow many visitors behind one address to send the right password at once', async () => {
    const service = await startService();
    await makeLink(service, LOCKED);
    const visits = Array.from({ length: 20 }, () => visit(service, '/locked', RIGHT));
    const statuses = (await Promise.all(visits)).map(({ statusCode }) => statusCode);
    expect(statuses).toEqual(Array(20).fill(303));
  });

  test('are 30 per hour and client for all links together', async () => {
    const service = await startService();
    for (let link = 0; link < 7; link++) {
      await makeLink(service, { ...LOCKED, customAlias: `locked${link}` });
    }
    for (let time = 0; time < 30; time++) {
      const response = await visit(service, `/locked${time % 6}`, { form: { password: '' } });
      expect(response.statusCode).toBe(401);
    }
    await service.clock.advance(2 * MINUTE_MS);
    const limited = await visit(service, '/locked6', RIGHT);
    expect(limited.statusCode).toBe(429);
    expect(limited.headers['retry-after']).toBe(String(58 * 60));
    expect(limited.body).toContain('Try again in 58 minutes');
    await service.clock.advance(58 * MINUTE_MS);
    expect((await visit(service, '/locked6', RIGHT)).statusCode).toBe(303);
  });

  test('are 30 per hour and client, including right ones', async () => {
    const service = await startService();
    await makeLink(service, LOCKED);
    for (let attempt = 1; attempt <= 30; attempt++) {
      const isRight = attempt % 5 === 0;
      const response = await visit(service, '/locked', isRight ? RIGHT : { form: {} });
      expect(response.statusCode).toBe(isRight ? 303 : 401);
      if (attempt % 5 === 0) await service.clock.advance(MINUTE_MS);
    }
    const limited = await visit(service, '/locked', RIGHT);
    expect(limited.statusCode).toBe(429);
    expect(limited.headers['retry-after']).toBe(String(54 * 60));
    const elsewhere = { ...RIGHT, remoteAddress: '192.0.2.7' };
    expect((await visit(service, '/locked', elsewhere)).statusCode).toBe(303);
    await service.clock.advance(60 * MINUTE_MS);
    expect((await visit(service, '/locked', RIGHT)).statusCode).toBe(303);
  });

  test('do not count rejected attempts', async () => {
    const service = await startService();
    await makeLink(service, LOCKED);
    for (let time = 0; time < 5; time++) await visit(service, '/locked', { form: {} });
    for (let time = 0; time < 40; time++) {
      expect((await visit(service, '/locked', RIGHT)).statusCode).toBe(429);
    }
    await service.clock.advance(MINUTE_MS);
    expect((await visit(service, '/locked', RIGHT)).statusCode).toBe(303);
  });

  test('of one link are 100 an hour from everywhere, then one in ten minutes from each network', async () => {
    const service = await startService();
    await makeLink(service, LOCKED);
    const guess = async (remoteAddress: string) =>
      (await visit(service, '/locked', { form: {}, remoteAddress })).statusCode;
    for (let client = 0; client < 25; client++) {
      for (let time = 0; time < 4; time++) expect(await guess(`192.0.2.${client}`)).toBe(401);
    }
    // A whole /48 has one guess.
    expect(await guess('2001:db8:0:1::1')).toBe(401);
    expect(await guess('2001:db8:0:ff01::1')).toBe(429);
    expect(await guess('198.51.100.1')).toBe(401);
    expect(await guess('198.51.100.1')).toBe(429);
    // Whoever has the right password is not locked out, also not for long after a mistake.
    const right = async (remoteAddress: string) =>
      (await visit(service, '/locked', { ...RIGHT, remoteAddress })).statusCode;
    for (let time = 0; time < 3; time++) expect(await right('203.0.113.1')).toBe(303);
    expect(await right('198.51.100.1')).toBe(429);
    await service.clock.advance(10 * MINUTE_MS);
    expect(await right('198.51.100.1')).toBe(303);
    // Other links are not affected.
    await makeLink(service, { ...LOCKED, customAlias: 'quiet' });
    const other = { form: {}, remoteAddress: '203.0.113.2' };
    for (let time = 0; time < 5; time++) {
      expect((await visit(service, '/quiet', other)).statusCode).toBe(401);
    }
    await service.clock.advance(60 * MINUTE_MS);
    for (let time = 0; time < 2; time++) expect(await guess('198.51.100.1')).toBe(401);
  });

  test('of one link from everywhere are told to its owner for an hour once they end', async () => {
    const service = await startService();
    const { authToken: token } = await makeLink(service, LOCKED);
    await makeLink(service, { ...LOCKED, customAlias: 'quiet' }, { token });
    const told = async () => {
      const { data } = (await call(service, 'GET /api/links', { token })).json();
      return data.flatMap((link: LinkRecord) => (link.manyWrongPasswords ? [link.alias] : []));
    };
    const guess = async (attempt: number) => {
      const remoteAddress = `192.0.2.${Math.floor(attempt / 4)}`;
      return (await visit(service, '/locked', { form: {}, remoteAddress })).statusCode;
    };
    for (let attempt = 0; attempt < 99; attempt++) expect(await guess(attempt)).toBe(401);
    // The right password ends nothing.
    await visit(service, '/locked', { ...RIGHT, remoteAddress: '203.0.113.1' });
    expect(await told()).toEqual([]);
    await service.clock.advance(30 * MINUTE_MS);
    expect(await guess(99)).toBe(401);
    expect(await told()).toEqual(['locked']);
    // A record can be sent back, also if it is over by then.
    const record = (await call(service, 'GET /api/links/locked', { token })).json().data;
    expect(record.manyWrongPasswords).toBe(true);
    await service.clock.advance(60 * MINUTE_MS);
    expect(await told()).toEqual([]);
    const sent = await call(service, 'PATCH /api/links/locked', { token, body: record });
    expect(sent.json()).toMatchObject({ success: true, data: { manyWrongPasswords: false } });
  });

  test('answer 503 with Retry-After if one link exceeds its share of hashing, without affecting others', async () => {
    const service = await startService();
    await makeLink(service, LOCKED);
    await makeLink(service, { ...LOCKED, customAlias: 'quiet' });
    const flood = Array.from({ length: 60 }, (_, n) =>
      visit(service, '/locked', { ...RIGHT, remoteAddress: `192.0.2.${n + 1}` }),
    );
    expect((await visit(service, '/quiet', RIGHT)).statusCode).toBe(303);
    const responses = await Promise.all(flood);
    const busy = responses.filter(({ statusCode }) => statusCode === 503);
    expect(busy.length).toBeGreaterThan(0);
    for (const response of busy) expect(response.headers['retry-after']).toBe('1');
    expect(responses.filter(({ statusCode }) => statusCode === 303)).toHaveLength(
      responses.length - busy.length,
    );
    // An attempt that was not checked does not count.
    const n = responses.findIndex(({ statusCode }) => statusCode === 503) + 1;
    const remoteAddress = `192.0.2.${n}`;
    for (let attempt = 1; attempt < 30; attempt++) {
      const response = await visit(service, '/locked', { form: {}, remoteAddress });
      expect(response.statusCode).toBe(401);
      if (attempt % 5 === 0) await service.clock.advance(MINUTE_MS);
    }
    expect((await visit(service, '/locked', { ...RIGHT, remoteAddress })).statusCode).toBe(303);
  });
});

describe('a cross-site password form', () => {
  test.each([{}, { origin: 'https://evil.example' }, { origin: 'null' }])(
    'gets a 403 and does not count (%j)',
    async (origin) => {
      const service = await startService();
      await makeLink(service, LOCKED);
      const headers = { 'sec-fetch-site': 'cross-site', ...origin };
      for (let time = 0; time < 35; time++) {
        const response = await visit(service, '/locked', { ...WRONG, headers });
        expect(response.statusCode).toBe(403);
        expect(response.headers).not.toHaveProperty('location');
      }
      expect((await visit(service, '/locked', RIGHT)).statusCode).toBe(303);
    },
  );

  // Without TLS, browsers send no Sec-Fetch-Site.
  test.each(['http://evil.example', 'http://s.example.evil.example', 'null', ''])(
    'gets a 403 over plain HTTP, and does not count (origin %j)',
    async (origin) => {
      const service = await startService({ env: { BASE_URL: 'http://s.example' } });
      await makeLink(service, LOCKED);
      const headers = { host: 's.example', origin };
      for (let time = 0; time < 35; time++) {
        const response = await visit(service, '/locked', { ...WRONG, headers });
        expect(response.statusCode).toBe(403);
        // A window that an e-mail program opened can be sandboxed, for ever.
        expect(response.body).toContain('<bdi dir="ltr">http://s.example/locked</bdi>');
      }
      const page = await visit(service, '/locked');
      // With no-referrer, the page's own form would have the origin null, too.
      expect(page.headers['referrer-policy']).toBe('same-origin');
      for (const own of ['http://s.example', 'http://192.0.2.7:2878']) {
        const { host } = new URL(own);
        const sent = { ...RIGHT, headers: { host, origin: own } };
        expect((await visit(service, '/locked', sent)).statusCode, own).toBe(303);
      }
      // Programs send no origin.
      expect((await visit(service, '/locked', RIGHT)).statusCode).toBe(303);
    },
  );

  test('is distinguished from the form of the link itself', async () => {
    const service = await startService();
    await makeLink(service, LOCKED);
    const headers = { 'sec-fetch-site': 'same-origin', origin: 'https://s.example' };
    expect((await visit(service, '/locked', { ...RIGHT, headers })).statusCode).toBe(303);
  });

  test('can link to the password page', async () => {
    const service = await startService();
    await makeLink(service, LOCKED);
    const headers = { 'sec-fetch-site': 'cross-site' };
    expect((await visit(service, '/locked', { headers })).statusCode).toBe(200);
  });
});
