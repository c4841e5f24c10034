import { describe, expect, test } from 'vitest';
import { BASE_URL, makeLink, sharedService, startService, type TestService } from '../support.ts';
import { goLinkOf, visit } from './visiting.ts';

/** Names, and words that some languages have in common. */
const SAME_IN_ALL = /^(Curt|Destination|URL|Token|true|false|GTM-.*|\/.*|https:.*)$/;
const LANGUAGES = ['en', 'de', 'fr', 'es', 'ja', 'ar'];

describe('the language of a page', () => {
  const shared = sharedService();

  test.each([
    [undefined, 'en'],
    ['', 'en'],
    ['*', 'en'],
    ['de', 'de'],
    ['DE-at', 'de'],
    ['fr-CH, fr;q=0.9, en;q=0.8, de;q=0.7', 'fr'],
    ['de;q=0.3, ja;q=0.9, en;q=0.5', 'ja'],
    ['pt-BR, pt;q=0.9, es;q=0.4', 'es'],
    ['pt-BR, pt;q=0.9', 'en'],
    ['de;q=0, fr;q=0.1', 'fr'],
    ['de;q=0', 'en'],
    ['zh-Hant-TW, *;q=0.5', 'en'],
    ['en;q=0, *', 'ar'],
    [';;q=,,-, de;q=x', 'en'],
    ['__proto__, constructor', 'en'],
    [`de${', fr;q=0.1'.repeat(40)}`, 'de'],
  ])('for Accept-Language: %s is %s', async (header, language) => {
    const service = shared();
    const page = await visit(service, '/nobody', {
      ...(header !== undefined && { headers: { 'accept-language': header } }),
    });
    expect(page.statusCode).toBe(404);
    expect(page.headers['content-language']).toBe(language);
    expect(page.body).toContain(`<html lang="${language}" dir="${directionOf(language)}">`);
  });

  test.each([
    ['/nobody?lang=ar', 'ar'],
    ['/?lang=ja', 'ja'],
    ['/?lang=xx', 'de'],
    ['/?lang=', 'de'],
    ['/?lang=fr&lang=ja', 'de'],
    ['/?lang=__proto__', 'de'],
    ['/%zz?lang=fr', 'fr'],
  ])('of %s is %s for Accept-Language: de', async (url, language) => {
    const service = shared();
    const page = await visit(service, url, { headers: { 'accept-language': 'de' } });
    expect(page.headers['content-language']).toBe(language);
  });

  test('is not negotiated from a header of more than 500 characters, nor is the format', async () => {
    const service = await startService();
    const long = ',x/y'.repeat(3500);
    for (const url of ['/nobody', '/%zz']) {
      const headers = { 'accept-language': `de${long}`, accept: `application/json${long}` };
      const page = await visit(service, url, { headers });
      expect(page.headers['content-language'], url).toBe('en');
      expect(page.headers['content-type'], url).toMatch('text/html');
    }
  });

  test('is named by Content-Language and Vary on every page', async () => {
    const service = await startService();
    for (const [name, { statusCode, headers, body }] of await everyPage(service, 'fr')) {
      expect(headers['content-language'], name).toBe('fr');
      expect(body, name).toContain('<html lang="fr" dir="ltr">');
      const isNegotiated = statusCode >= 400;
      expect(headers.vary, name).toBe(isNegotiated ? 'Accept, Accept-Language' : 'Accept-Language');
    }
  });

  test('is that of all texts of the page', async () => {
    const service = await startService();
    const pages = await everyPage(service, 'en');
    for (const language of LANGUAGES.slice(1)) {
      for (const [name, { body }] of await everyPage(service, language)) {
        const english = wordsOf(pages.get(name)?.body ?? '');
        const shared = wordsOf(body).filter((words) => english.includes(words));
        expect(shared, `${name} in ${language}`).toEqual([]);
        // As words: a token or a signature may have these letters.
        expect(body, name).not.toMatch(/\$\w+\$|\bundefined\b|\bNaN\b/);
      }
    }
  });
});

describe('lang in a query', () => {
  test('changes nothing about a redirect, and is forwarded like any other parameter', async () => {
    const service = await startService();
    await makeLink(service, { customAlias: 'plain', originalUrl: 'https://example.com/a' });
    await makeLink(service, {
      customAlias: 'query',
      originalUrl: 'https://example.com/a',
      forwardQuery: true,
    });
    const headers = { 'accept-language': 'de' };
    for (let round = 0; round < 2; round++) {
      const plain = await visit(service, '/plain?lang=fr', { headers });
      expect(plain.headers.location).toBe('https://example.com/a');
      const forwarded = await visit(service, '/query?a=1&lang=fr', { headers });
      expect(forwarded.headers.location).toBe('https://example.com/a?a=1&lang=fr');
      for (const response of [plain, forwarded]) {
        expect(response.statusCode).toBe(302);
        expect(response.headers).not.toHaveProperty('vary');
        expect(response.headers).not.toHaveProperty('content-language');
      }
    }
  });

  test('reaches the target through a preview page, too', async () => {
    const service = await startService();
    await makeLink(service, {
      customAlias: 'waits',
      originalUrl: 'https://example.com/a',
      forwardQuery: true,
      waitTimer: 5,
    });
    const page = await visit(service, '/waits?lang=de');
    expect(page.headers['content-language']).toBe('de');
    await service.clock.advance(5000);
    const response = await visit(service, goLinkOf(page).replaceAll('&amp;', '&'));
    expect(response.headers.location).toBe('https://example.com/a?lang=de');
  });
});

test('JSON errors are in English, and vary by Accept only', async () => {
  const service = await startService();
  const headers = { accept: 'application/json', 'accept-language': 'de' };
  const response = await visit(service, '/nobody?lang=de', { headers });
  expect(response.json()).toMatchObject({
    code: 'not_found',
    message: 'There is no link at this address.',
  });
  expect(response.headers.vary).toBe('Accept');
  expect(response.headers).not.toHaveProperty('content-language');
  const inApi = await visit(service, '/api/nothing', { headers });
  expect(inApi.json().message).toBe('There is no API endpoint at this address.');
});

test('numbers, waits and dates have the format of the language', async () => {
  const service = await startService();
  await makeLink(service, {
    customAlias: 'shown',
    waitTimer: 90,
    expiresAt: '2027-01-31T12:30:00Z',
  });
  const german = await visit(service, '/shown+?lang=de');
  expect(german.body).toContain('90 Sekunden. Bis dahin');
  expect(german.body).toMatch(/>31\. Januar 2027 um 12:30 UTC</);
  const arabic = await visit(service, '/shown?lang=ar');
  expect(arabic.body).toContain('90 ثانية');
  const early = await visit(service, goLinkOf(await visit(service, '/shown')), {
    headers: { 'accept-language': 'es' },
  });
  expect(early.statusCode).toBe(425);
  expect(early.body).toContain('Este enlace se abre dentro de 90 segundos.');
});

/** All pages, by name. */
async function everyPage(service: TestService, language: string) {
  const headers = { 'accept-language': language };
  const open = (url: string, options = {}) => visit(service, url, { headers, ...options });
  if (!(await service.store.findLink('waits'))) {
    const originalUrl = 'https://0.example/';
    await makeLink(service, { customAlias: 'waits', waitTimer: 5, originalUrl });
    await makeLink(service, { customAlias: 'tagged', customGtmId: 'GTM-ABC1234', originalUrl });
    await makeLink(service, { customAlias: 'locked', password: 'x' });
    await makeLink(service, { customAlias: 'old', expiresInMinutes: 1 });
    await service.clock.advance(60_000);
  }
  const remoteAddress = `192.0.2.${LANGUAGES.indexOf(language) + 1}`;
  const shortenUrl = (originalUrl: string) =>
    open('/', { form: { originalUrl }, headers: { ...headers, origin: BASE_URL } });
  const guess = () => open('/locked', { form: { password: 'y' }, remoteAddress });
  const created = await shortenUrl('https://0.example/');
  const pages = new Map([
    ['home', await open('/')],
    ['new link', await open(`${created.headers.location}`)],
    ['invalid URL', await shortenUrl('mailto:a@example.com')],
    ['inspect', await open('/waits+')],
    ['preview', await open('/waits')],
    ['container', await open('/tagged')],
    ['password', await open('/locked')],
    ['wrong password', await guess()],
    ['not found', await open('/nobody')],
    ['gone', await open('/old')],
    ['too early', await open(goLinkOf(await open('/waits')))],
    ['too large', await open('/locked', { form: { password: 'x'.repeat(5000) } })],
    ['expectation', await open('/', { headers: { ...headers, expect: 'more' } })],
    [
      'cross-site',
      await open('/locked', {
        form: { password: 'x' },
        headers: { ...headers, 'sec-fetch-site': 'cross-site' },
      }),
    ],
  ]);
  for (let attempt = 0; attempt < 4; attempt++) await guess();
  pages.set('rate limited', await guess());
  expect([...pages.values()].map(({ statusCode }) => statusCode)).toEqual([
    ...[200, 201, 400, 200, 200, 200, 200, 401, 404, 410, 425, 413, 417, 403, 429],
  ]);
  return pages;
}

/** The texts between tags and in attributes, except names and messages that are the same everywhere. */
function wordsOf(html: string): string[] {
  const body = html.replace(
    /<(code|svg|bdi|script|title)[\s\S]*?<\/\1>|<p lang="en"[\s\S]*?<\/p>/g,
    '',
  );
  const texts = [
    ...body.matchAll(/>([^<>]+)</g),
    ...body.matchAll(/ (?:aria-label|data-[a-z-]+)="([^"]+)"/g),
  ];
  return texts
    .map(([, text = '']) => text.trim())
    .filter((text) => /\p{L}{3}/u.test(text) && !SAME_IN_ALL.test(text));
}

function directionOf(language: string): string {
  return language === 'ar' ? 'rtl' : 'ltr';
}

describe('the choice of a language', () => {
  const shared = sharedService();

  const choose = (service: TestService, query: string) =>
    visit(service, `/choose.language?${query}`);

  test('is on every page, and returns to it', async () => {
    const service = await startService();
    for (const [name, { body }] of await everyPage(service, 'en')) {
      const links = [...body.matchAll(/href="(\/choose.language\?[^"]+)" lang="([a-z]+)"/g)];
      expect(links.map(([, , tag]) => tag).sort(), name).toEqual([...LANGUAGES].sort());
    }
    const { body } = await visit(service, '/nobody?x=1&lang=de');
    const href = /href="([^"]+)" lang="fr"/.exec(body)?.[1]?.replaceAll('&amp;', '&') ?? '';
    expect((await visit(service, href)).headers.location).toBe('/nobody?x=1');
  });

  test('is kept, and comes before the browser’s language and after that of the address', async () => {
    const service = await startService();
    const chosen = await choose(service, 'lang=fr&to=/nobody');
    const cookie = String(chosen.headers['set-cookie']).split(';')[0] ?? '';
    const headers = { cookie: `other=de; ${cookie}`, 'accept-language': 'de' };
    const shown = async (path: string) =>
      (await visit(service, path, { headers })).headers['content-language'];
    expect(await shown('/nobody')).toBe('fr');
    expect(await shown('/nobody?lang=ja')).toBe('ja');
  });

  test.each([
    ['lang=fr&to=https://evil.example/', '/'],
    ['lang=fr&to=//evil.example/', '/'],
    ['lang=fr&to=/%5Cevil.example/', '/'],
    ['lang=fr&to=/.//evil.example/', '/evil.example/'],
    ['lang=fr&to=javascript:alert(1)', '/'],
    ['lang=fr&to=/a&to=/b', '/'],
    ['lang=fr', '/'],
  ])('leads to no other host: %s', async (query, location) => {
    const response = await choose(shared(), query);
    expect([response.statusCode, response.headers.location]).toEqual([302, location]);
  });

  test.each(['xx', '__proto__', 'fr;%20Domain=example', ''])('keeps no %j', async (lang) => {
    const response = await choose(await startService(), `lang=${lang}&to=/a`);
    expect(response.headers['set-cookie']).toBeUndefined();
    const headers = {
      cookie: `curt-language=${lang.replace(/^fr/, 'xx')}`,
      'accept-language': 'de',
    };
    const page = await visit(await startService(), '/nobody', { headers });
    expect(page.headers['content-language']).toBe('de');
  });
});

const shared = sharedService();

test.each([
  ['en-GB,en;q=0.9', /31 January 2027 at 12:30 UTC/],
  ['en-AU', /31 January 2027 at 12:30/],
  ['sv', /31 January 2027 at 12:30 UTC/],
  ['en-US', /January 31, 2027 at 12:30\sPM UTC/],
  ['en-XX-faulty_tag', /January 31, 2027/],
])('dates have the format of the browser’s region: %s', async (acceptLanguage, date) => {
  const { alias } = await makeLink(shared(), { expiresAt: '2027-01-31T12:30:00Z' });
  const headers = { 'accept-language': acceptLanguage };
  expect((await visit(shared(), `/${alias}+`, { headers })).body).toMatch(date);
});
