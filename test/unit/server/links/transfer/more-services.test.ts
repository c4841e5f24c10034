import { expect, test } from 'vitest';
import { fixture, readAll, toFlatLink } from './support.ts';

async function readFixture(path: string) {
  const { about, rows } = await readAll(await fixture(path));
  const fieldOf = (name: string) => about.columns.find((column) => column.name === name)?.field;
  return { ...about, rows, fieldOf, links: rows.filter(({ link }) => link).map(toFlatLink) };
}

const paused = (reason: string) => ({
  isActive: false,
  notes: expect.arrayContaining([expect.stringContaining(reason)]),
});

test('Kutt: its table, with t and f, times with +00 and bcrypt', async () => {
  const { source, links } = await readFixture('kutt/links.csv');
  expect(source).toBe('kutt');
  expect(links).toMatchObject([
    { alias: 'spring-menu', hits: 1482, created: Date.UTC(2024, 2, 1, 9, 15), isActive: true },
    { alias: 'minutes', passwordHash: null, ...paused('Passwords') },
    { alias: 'prize', expiresAt: Date.UTC(2024, 1, 1), ...paused('banned says "t"') },
  ]);
});

test('Dub: the exported table', async () => {
  const { source, links, fieldOf } = await readFixture('dub/links.csv');
  expect(source).toBe('dub');
  expect(fieldOf('Archived')).toBe(null);
  expect(links).toMatchObject([
    { alias: 'app', domain: 'go.example.org', tags: ['print', 'summer'], hits: 4711 },
    { alias: 'prize', domain: 'dub.sh', isActive: true },
  ]);
});

test.each(['yourls/phpmyadmin.json', 'yourls/no-header.csv', 'yourls/plugin.csv'])(
  'YOURLS: %s',
  async (path) => {
    const { source, links } = await readFixture(path);
    expect(source).toBe('yourls');
    const created = Date.UTC(2021, 5, 5, 14, 3, 11);
    expect(links).toMatchObject([
      { alias: 'fair', hits: 2310, created: path.endsWith('plugin.csv') ? null : created },
      { alias: '1', hits: 41, title: '' },
    ]);
  },
);

test('YOURLS: quotation marks of the table without a header', async () => {
  const { links } = await readFixture('yourls/no-header.csv');
  expect(links[0]?.label).toBe('Program of the "Spring" fair');
});

test.each(['chhoto/all.json', 'chhoto/urls.csv'])('Chhoto URL: %s', async (path) => {
  const { source, links } = await readFixture(path);
  expect(source).toBe('chhoto');
  expect(links).toMatchObject([
    { alias: 'docs', label: 'For the team', description: null, hits: 31, expiresAt: null },
    { alias: 'sale-24', expiresAt: Date.UTC(2025, 0, 1) },
  ]);
});

test('Polr: secret endings and disabled links are paused', async () => {
  const { source, links } = await readFixture('polr/links.csv');
  expect(source).toBe('polr');
  expect(links).toMatchObject([
    { alias: 'handbook', hits: 120, isActive: true, created: Date.UTC(2019, 4, 1, 10) },
    { alias: '3', ...paused('Passwords') },
    { alias: 'old', ...paused('is_disabled') },
  ]);
});

test('Sink: times in seconds, a comment, and targets by device', async () => {
  const { source, links } = await readFixture('sink/links.json');
  expect(source).toBe('sink');
  expect(links).toMatchObject([
    {
      alias: 'slides',
      title: 'Slides',
      label: 'Shown on the last page',
      description: null,
      created: 1_718_000_000_000,
      expiresAt: Date.UTC(2030, 0, 1),
    },
    {
      rules: [
        { system: 'iOS', originalUrl: 'https://apps.example/ios' },
        { system: 'Android', originalUrl: 'https://apps.example/android' },
      ],
      ...paused('Passwords'),
    },
  ]);
});

test('Rebrandly: a status that is not active pauses', async () => {
  const { source, links } = await readFixture('rebrandly/links.json');
  expect(source).toBe('rebrandly');
  expect(links).toMatchObject([
    {
      alias: 'spring',
      domain: 'rebrand.ly',
      label: 'Spring collection',
      title: '',
      hits: 310,
      isActive: true,
    },
    { alias: 'old', domain: 'go.example.org', ...paused('status is "trashed"') },
  ]);
});

test('Short.io: limits, expiry and a split test survive, and a password pauses', async () => {
  const { source, links } = await readFixture('shortio/links.json');
  expect(source).toBe('shortio');
  expect(links).toMatchObject([
    {
      alias: 'book',
      domain: 'go.example.org',
      maxVisits: 500,
      expiresAt: Date.UTC(2030, 0, 1),
      goneUrl: 'https://clinic.example/closed',
      rules: [
        { system: 'iOS', originalUrl: 'https://apps.example/ios' },
        { share: 30, originalUrl: 'https://clinic.example/b' },
      ],
      isActive: true,
    },
    { alias: 'report', ...paused('Passwords') },
  ]);
});

test('TinyURL: deleted links are left out', async () => {
  const { source, links, rows } = await readFixture('tinyurl/available.json');
  expect(source).toBe('tinyurl');
  expect(links).toMatchObject([{ alias: 'bakery-menu', tags: ['menu'], hits: 77, isActive: true }]);
  expect(rows[1]?.issues).toEqual([{ field: 'deleted', message: 'Was deleted there.' }]);
});

test('tiny.cc: note, visit limit and expiry survive', async () => {
  const { source, links } = await readFixture('tinycc/urls.json');
  expect(source).toBe('tinycc');
  expect(links).toMatchObject([
    {
      alias: 'harvest',
      label: 'Flyer',
      description: null,
      maxVisits: 200,
      hits: 81,
      tags: ['flyer'],
    },
  ]);
});

test('Raindrop.io: folder and tags', async () => {
  const { source, links } = await readFixture('raindrop/export.csv');
  expect(source).toBe('raindrop');
  expect(links).toMatchObject([
    { alias: '', tags: ['rust', 'learning', 'Work/Languages'], description: null },
    {
      label: 'Untitled',
      tags: ['Unsorted'],
      description: null,
      notes: [expect.stringMatching(/note is left out.*Call them/)],
    },
  ]);
});

test('linkding: tags, and the title of the page', async () => {
  const { source, links } = await readFixture('linkding/bookmarks.json');
  expect(source).toBe('linkding');
  expect(links).toMatchObject([{ label: 'Tomatoes', tags: ['garden', 'food'], isActive: true }]);
});

test('bookmarks: a folder becomes a tag, except those of the browser', async () => {
  const { source, links, rows } = await readFixture('bookmarks/bookmarks.htm');
  expect(source).toBe('bookmarks');
  expect(links).toMatchObject([
    { originalUrl: 'https://mail.example/?a=1&b=2', label: 'Mail & more', tags: [] },
    {
      label: 'Soup',
      tags: ['winter', 'quick', 'Recipes'],
      notes: [expect.stringMatching(/left out.*With beans/)],
    },
  ]);
  expect(links[1]?.created).toBe(1_700_000_300_000);
  expect(rows[2]?.issues).toMatchObject([{ field: 'originalUrl' }]);
});

test('bookmarks of programs that do not escape texts: a link in one is no bookmark', async () => {
  const { links, rows } = await readFixture('bookmarks/unescaped.htm');
  expect(rows).toHaveLength(3);
  expect(links).toMatchObject([
    {
      originalUrl: 'https://example.com/straße/ß',
      label: 'About <script> and a < b',
      description: null,
      tags: ['weiß', 'script', 'Script & <b>more</b>'],
      created: 1_260_914_469_588,
    },
    {
      originalUrl: 'https://example.com/single',
      label: 'Single',
      tags: ['a', 'Script & <b>more</b>'],
      created: 1_376_683_982_550,
    },
    { originalUrl: 'https://example.com/unquoted', created: 1_408_788_783_000 },
  ]);
});

test('a description of a bookmark that never ends is too large', async () => {
  const file = `<DL><p><DT><A HREF="https://example.com/">A</A><DD>${'<b>x</b>'.repeat(20_000)}`;
  await expect(readAll(file)).rejects.toThrow('Row 1 is too large for a link');
});

test('Pocket: what was not read is not paused', async () => {
  const { source, links } = await readFixture('pocket/part_000000.csv');
  expect(source).toBe('pocket');
  expect(links).toMatchObject([
    { label: 'Tomatoes', tags: ['garden', 'home grown'], created: 1_728_576_752_000, notes: [] },
    { label: 'Soup, quick', originalUrl: 'https://soup.example/a,b', isActive: true, notes: [] },
  ]);
});

test('a list of URLs, with commas in them', async () => {
  const { source, links, rows } = await readFixture('tables/list.txt');
  expect(source).toBe('list');
  expect(links.map(({ originalUrl }) => originalUrl)).toEqual([
    'https://one.example/a,b',
    'https://two.example/',
    'https://three.example/x',
  ]);
  expect(rows.map(({ row }) => row)).toEqual([1, 2, 4]);
});

test.each(['tables/url-alias.csv', 'tables/url-slug.csv'])('%s', async (path) => {
  const { links } = await readFixture(path);
  expect(links).toMatchObject([{ alias: 'one', originalUrl: 'https://one.example/' }]);
});

/** Texts of owners, by the columns in which services and tables have them. */
const PRIVATE = 'Ask Ann: the discount is 40 %';
test.each([
  ['linkding', ['url', 'tag_names', 'date_added'], ['notes', 'description', 'website_description']],
  ['raindrop', ['url', 'excerpt', 'folder'], ['note', 'excerpt']],
  ['sink', ['slug', 'url', 'expiration'], ['comment', 'notes']],
  ['chhoto', ['shortlink', 'longurl', 'expiry_time'], ['notes']],
  ['tinycc', ['hash', 'long_url', 'short_url'], ['note']],
  ['kutt', ['address', 'target'], ['description']],
  ['dub', ['shortLink', 'key', 'url'], ['comments']],
  [
    'csv',
    ['url'],
    ['note', 'Notes', 'comment', 'Private notes', 'Notizen', 'Kommentar', 'Remarques'],
  ],
  ['csv', ['url'], ['Comentarios', 'メモ', '備考', 'ملاحظات', 'Internal name']],
] as const)(
  '%s: what only owners see is never public, and the preview says so',
  async (source, signs, names) => {
    for (const name of names) {
      const columns = [...new Set([...signs, 'title', name])];
      for (const title of ['', 'A title']) {
        const cell = (column: string) => {
          if (/url|target/i.test(column)) return 'https://a.example/';
          return column === name ? PRIVATE : column === 'title' ? title : '';
        };
        const file = [columns, columns.map(cell)].map((cells) => cells.join(';')).join('\n');
        const { rows, about } = await readAll(file);
        expect(about.source).toBe(source);
        const [{ link, issues } = {}] = rows;
        expect([link?.title, link?.description, link?.card]).not.toContain(PRIVATE);
        const isKept = link?.label === PRIVATE;
        const isSaid = issues?.some(({ message }) => message.includes(PRIVATE));
        expect(isKept || isSaid, name).toBe(true);
        const { notes } = about.columns.find((each) => each.name === name) ?? {};
        expect(notes, name).toEqual(name === 'Internal name' ? [] : ['private']);
      }
    }
  },
);

test('bookmarks: a private one with a description is nowhere public', async () => {
  const file = `<DL><p><DT><A HREF="https://a.example/" PRIVATE="1"></A><DD>${PRIVATE}</DL>`;
  const [row] = (await readAll(file)).rows;
  expect(row?.link).toMatchObject({ title: '', description: null, label: PRIVATE });
});
