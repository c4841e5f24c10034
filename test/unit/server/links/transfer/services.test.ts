import { expect, test } from 'vitest';
import { fixture, read, readAll, readLinks } from './support.ts';

const DEFAULTS = {
  domain: null,
  aliasIsCustom: true,
  previousAliases: [],
  title: '',
  label: '',
  description: null,
  tags: [],
  modified: null,
  expiresAt: null,
  hits: 0,
  maxVisits: null,
  waitTimer: 0,
  customGtmId: null,
  forwardQuery: false,
  rules: [],
  startsAt: null,
  hideUntilStart: false,
  publicStats: false,
  goneUrl: null,
  card: null,
  isActive: true,
  passwordHash: null,
  notes: [],
};

test('Kutt: address, target, dates, expiry, description and visits survive', async () => {
  const [menu, sale] = await readLinks('kutt', await fixture('kutt/links.json'));
  expect(menu).toEqual({
    ...DEFAULTS,
    alias: 'spring-menu',
    originalUrl: 'https://restaurant.example/menu?season=spring',
    label: 'Menu on the tables, printed in March',
    created: Date.UTC(2024, 2, 1, 9, 15),
    modified: Date.UTC(2024, 3, 2, 10),
    hits: 1482,
  });
  expect(sale).toMatchObject({
    alias: 'xK3p9Q',
    created: Date.UTC(2023, 10, 20, 18, 30, 12, 480),
    expiresAt: Date.UTC(2023, 11, 1),
    hits: 96,
  });
});

test('Kutt: a link whose password is not in the file, and a banned one, are switched off', async () => {
  const [, , minutes, prize] = await readLinks('kutt', await fixture('kutt/links.json'));
  expect(minutes).toMatchObject({ isActive: false, description: null });
  expect(minutes?.notes).toEqual([expect.stringContaining('password')]);
  expect(prize).toMatchObject({ isActive: false, notes: [expect.stringContaining('banned')] });
});

test('Shlink: short code, tags, dates, limits and the visits of people survive', async () => {
  const links = await readLinks('shlink', await fixture('shlink/short-urls.json'));
  expect(links[0]).toEqual({
    ...DEFAULTS,
    alias: '12C18',
    originalUrl: 'https://games.example/store',
    label: 'Games store',
    tags: ['games', 'tech'],
    created: Date.UTC(2022, 7, 21, 18, 34, 16),
    hits: 900,
    forwardQuery: true,
  });
  expect(links[1]).toMatchObject({
    alias: 'summer-24',
    title: '',
    expiresAt: Date.UTC(2024, 8, 30, 23, 59, 59),
    maxVisits: 5000,
    hits: 280,
    forwardQuery: false,
    startsAt: Date.UTC(2024, 4, 2),
    rules: [
      ...['Android', 'iOS'].map((system) => ({
        ...{ system, query: { name: 'from', value: 'card' } },
        originalUrl: 'https://hotel.example/app',
      })),
      { language: 'de-CH', country: 'CH', originalUrl: 'https://hotel.example/sommer' },
      { query: { name: 'qr' }, originalUrl: 'https://hotel.example/any' },
      {
        ...{ query: { name: 'flag', value: '' }, system: 'Chrome OS' },
        originalUrl: 'https://hotel.example/empty',
      },
    ],
    notes: ['A redirect rule is left out: Curt cannot have the condition "ip-address".'],
  });
  expect(links[2]).toMatchObject({ alias: 'docs/install' });
});

const aRule = (...conditions: [type: string, value: string, key?: string][]) => ({
  longUrl: 'https://b.example/',
  conditions: conditions.map(([type, matchValue, matchKey]) => ({ type, matchValue, matchKey })),
});

async function readRules(redirectRules: object[] | undefined) {
  const link = { shortCode: 'a', longUrl: 'https://a.example/', dateCreated: '2026-01-01' };
  const rows = [{ ...link, hasRedirectRules: true, redirectRules }];
  const [{ rules, notes } = { rules: undefined, notes: undefined }] = await readLinks(
    'shlink',
    JSON.stringify(rows),
  );
  return { rules, notes };
}

test('Shlink: rules with dates survive, and those that Curt cannot have are left out', async () => {
  const originalUrl = 'https://b.example/';
  expect(
    await readRules([
      aRule(['before-date', '2026-02-01T00:00:00+01:00'], ['after-date', '2026-01-01']),
      aRule(['query-param', '1', 'a'], ['query-param', '2', 'b']),
      aRule(['device', 'fridge']),
      aRule(['geolocation-city-name', 'Bern'], ['language', 'de']),
      aRule(),
    ]),
  ).toEqual({
    rules: [{ until: '2026-01-31T23:00:00.000Z', from: '2026-01-01T00:00:00.000Z', originalUrl }],
    notes: [
      'A redirect rule is left out: Curt cannot have twice the condition "query-param".',
      'A redirect rule is left out: Curt cannot have the condition "device".',
      'A redirect rule is left out: Curt cannot have the condition "geolocation-city-name".',
    ],
  });
});

test('Shlink: rules beyond the limit, and rules that the file does not have, are reported', async () => {
  const many = Array.from({ length: 21 }, (_, index) => aRule(['query-param', `${index}`, 'a']));
  const { rules, notes } = await readRules(many);
  expect(rules).toHaveLength(20);
  expect(notes).toEqual(['Only the first 20 rules are kept.']);
  expect(await readRules(undefined)).toEqual({
    rules: [],
    notes: ['The file does not have the redirect rules of the link.'],
  });
});

test('Dub: key, domain, texts, dates, clicks, card, fallback and targeting survive', async () => {
  const [app, prize] = await readLinks('dub', await fixture('dub/links.json'));
  expect(app).toEqual({
    ...DEFAULTS,
    alias: 'app',
    domain: 'go.example.org',
    originalUrl: 'https://game.example/?utm_source=poster',
    title: 'The game',
    description: 'Play it today',
    label: 'Ask Ann before you change it',
    tags: ['print'],
    created: Date.UTC(2026, 2, 1, 8, 30),
    modified: Date.UTC(2026, 3, 1, 9),
    expiresAt: Date.UTC(2026, 11, 24, 18),
    goneUrl: 'https://game.example/over',
    hits: 4711,
    rules: [
      { system: 'iOS', originalUrl: 'https://apps.example/ios/game' },
      { system: 'Android', originalUrl: 'https://apps.example/android/game' },
      { country: 'CH', originalUrl: 'https://game.example/ch' },
      { country: 'AT', originalUrl: 'https://game.example/at' },
      { share: 40, until: '2026-12-01T00:00:00.000Z', originalUrl: 'https://game.example/b' },
    ],
    card: {
      title: 'The game',
      description: 'Play it today',
      imageUrl: 'https://assets.dub.co/images/link_1KAWF6WBCE2CQ0B8YSMS8DX2J',
    },
  });
  expect(prize).toMatchObject({ domain: 'dub.sh', isActive: false, card: null, rules: [] });
  expect(prize?.notes).toEqual([
    expect.stringContaining('Passwords'),
    expect.stringContaining('disabled'),
  ]);
});

test('Dub: where a domain leads is no link', async () => {
  const [link] = JSON.parse(String(await fixture('dub/links.json')));
  expect(await read('dub', JSON.stringify([{ ...link, key: '_root' }]))).toMatchObject([
    { row: 1, issues: [{ field: 'key', message: 'Is where a domain leads, and no link.' }] },
  ]);
});

test('Shlink: the older API has one number of visits', async () => {
  const links = await readLinks('shlink', await fixture('shlink/short-urls-v2.json'));
  expect(links).toMatchObject([{ alias: '12C18', hits: 328, maxVisits: 100, forwardQuery: true }]);
});

test('Shlink: the table of the web client', async () => {
  const links = await readLinks('shlink', await fixture('shlink/web-client.csv'));
  expect(links).toMatchObject([
    { alias: '12C18', tags: ['games', 'tech'], label: 'Games store', hits: 1029 },
    { alias: 'summer-24', tags: [], created: Date.UTC(2024, 4, 1, 8), hits: 310 },
  ]);
});

test('YOURLS: keyword, title, date in UTC and clicks survive, from the API', async () => {
  const links = await readLinks('yourls', await fixture('yourls/stats.json'));
  expect(links).toEqual([
    {
      ...DEFAULTS,
      alias: 'fair',
      domain: 'yourls.example',
      originalUrl: 'https://fair.example/program.html',
      label: 'Program of the fair',
      created: Date.UTC(2021, 5, 5, 14, 3, 11),
      hits: 2310,
    },
    expect.objectContaining({ alias: '1', hits: 41 }),
  ]);
});

test('YOURLS: the folder in which it is installed is no part of the keyword', async () => {
  const shorturl = 'https://blog.example/s/fair';
  const links = await readLinks(
    'yourls',
    JSON.stringify([{ shorturl, url: 'https://a.example/' }]),
  );
  expect(links).toMatchObject([{ alias: 'fair' }]);
});

test('YOURLS: the same from the table yourls_url', async () => {
  const links = await readLinks('yourls', await fixture('yourls/yourls_url.csv'));
  expect(links).toMatchObject([
    { alias: 'fair', label: 'Program of the "Spring" fair', hits: 2310 },
    { alias: '1', created: Date.UTC(2019, 3, 1, 7, 45), hits: 41 },
    { alias: 'old', title: '', created: null, hits: 0 },
  ]);
});

test('Bitly: custom back-halves, the generated one, title, tags and date survive, and clicks if they were added', async () => {
  const links = await readLinks('bitly', await fixture('bitly/bitlinks.json'));
  expect(links).toEqual([
    {
      ...DEFAULTS,
      alias: 'winter-tour',
      domain: 'bit.ly',
      previousAliases: ['tour-25', '4hQ7xYz'],
      originalUrl: 'https://band.example/tour/2025',
      label: 'Winter tour',
      tags: ['tour', 'print'],
      created: Date.UTC(2025, 1, 11, 16, 20, 5),
    },
    expect.objectContaining({ alias: '3aBcDeF', previousAliases: [], hits: 518, isActive: true }),
  ]);
});

test('Bitly: in a table, the custom back-half is the alias, on its domain, and otherwise the generated one', async () => {
  const rows = [
    'Link,Custom Link,Destination URL',
    'https://bit.ly/3ab,https://go.example/spring,https://shop.example/1',
    'https://bit.ly/3cd,,https://shop.example/2',
    'https://go.example/3ef,sale,https://shop.example/3',
  ];
  const links = await readLinks(undefined, `${rows.join('\n')}\n`);
  expect(links).toMatchObject([
    { alias: 'spring', domain: 'go.example', previousAliases: ['3ab'] },
    { alias: '3cd', domain: 'bit.ly', previousAliases: [] },
    { alias: 'sale', domain: 'go.example', previousAliases: ['3ef'] },
  ]);
});

test.each([
  ['Shlink', 'id,domain_id,original_url,short_code,title_was_auto_resolved'],
  ['Kutt', 'id,domain_id,target,address,visit_count'],
])('%s: a row of the table says that its domain is missing', async (_, header) => {
  const rows = [
    header,
    '1,,https://shop.example/1,abc,0',
    '2,NULL,https://shop.example/2,def,0',
    '3,2,https://shop.example/3,ghi,0',
  ];
  const { rows: links } = await readAll(`${rows.join('\n')}\n`);
  expect(links.map(({ issues }) => issues.map(({ field }) => field))).toEqual([[], [], ['domain']]);
  expect(links[2]?.link).toMatchObject({ alias: 'ghi', domain: null, isActive: true });
});

test('Bitly: an exported table', async () => {
  const links = await readLinks('bitly', await fixture('bitly/links.csv'));
  expect(links).toMatchObject([
    { alias: 'winter-tour', tags: ['tour', 'print'], hits: 77 },
    { alias: '3aBcDeF', title: '', created: Date.UTC(2024, 9, 1), hits: 518 },
  ]);
});

test('texts that are too long for Curt are cut, and the row says so', async () => {
  const link = {
    id: 'bit.ly/long',
    long_url: 'https://example.com/',
    title: `${'😀'.repeat(300)} and\nmore`,
    tags: [...Array(12).keys()].map((number) => `tag ${number}`),
  };
  const [row] = await readLinks('bitly', JSON.stringify([link]));
  expect(row?.label).toBe('😀'.repeat(200));
  expect(row?.tags).toHaveLength(10);
  expect(row?.notes).toEqual([
    'Only the first 10 tags are kept.',
    'The private title is cut to 200 characters.',
  ]);
});

test('rows with a wrong type, target or date are reported by number', async () => {
  const [good] = JSON.parse(String(await fixture('kutt/links.json'))).data;
  const rows = await read(
    'kutt',
    JSON.stringify([
      good,
      { ...good, target: 'javascript:alert(1)' },
      { ...good, target: 7 },
      { ...good, created_at: 'yesterday' },
      { ...good, visit_count: -1 },
      'text',
      null,
    ]),
  );
  expect(rows.map(({ row }) => row)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  const textOf = ({ issues }: (typeof rows)[number]) =>
    issues.map(({ field, message }) => (field ? `${field}: ${message}` : message)).join(' ');
  expect(rows.map(textOf)).toEqual([
    '',
    expect.stringMatching(/^originalUrl: .*javascript/),
    'target: Must be a string.',
    expect.stringMatching(/^created_at: .*Must be a date.*imported without it/),
    expect.stringMatching(/^visit_count: .*Must be a whole number.*begins with 0/),
    'Must be an object.',
    'Must be an object.',
  ]);
});
