import { describe, expect, test } from 'vitest';
import { readTime } from '../../../../../server/links/transfer/meaning/cells.ts';
import { read, readAll, readLinks } from './support.ts';

const JAN_5 = Date.UTC(2024, 0, 5);
const AT_830 = JAN_5 + 8.5 * 3_600_000;

describe('dates with the name of a month, or as a browser or a spreadsheet writes them', () => {
  test.each([
    ['Jan 5, 2024', JAN_5],
    ['January 5th, 2024', JAN_5],
    ['05 JAN 2024', JAN_5],
    ['5-Jan-24', JAN_5],
    ['05/Jan/2024', JAN_5],
    ['5Jan2024', JAN_5],
    ['Friday, 5 January 2024', JAN_5],
    ['5. Januar 2024', JAN_5],
    ['5 de enero de 2024', JAN_5],
    ['5 janv. 2024', JAN_5],
    ['5 يناير 2024', JAN_5],
    ['2024年1月5日', JAN_5],
    ['01. Mrz 24', Date.UTC(2024, 2, 1)],
    ['1er août 2024', Date.UTC(2024, 7, 1)],
    ['Fri, 05 Jan 2024 08:30:00 GMT', AT_830],
    ['January 5, 2024 at 8:30 AM', AT_830],
    ['2024-01-05 8:30:00 AM', AT_830],
    ['Fri Jan 05 2024 09:30:00 GMT+0100 (Central European Standard Time)', AT_830],
  ])('%j is a time', (text, time) => {
    expect(readTime(text, null)).toEqual({ value: time });
  });

  test.each([
    '5 Foo 2024',
    'Jan 32, 2024',
    '31 Feb 2024',
    'Jan 5',
    `Jan 5, 2024${' '.repeat(200)}x`,
  ])('%j is none', (text) => {
    expect(readTime(text, null)).toHaveProperty('problem');
  });

  test('a time to the millisecond is not rounded', () => {
    expect(readTime('2024-01-05T08:30:00.123Z', null)).toEqual({ value: AT_830 + 123 });
  });
});

describe('a list of URLs', () => {
  const links = (label: string) => [
    { originalUrl: 'https://a.example/1', label: label && `One, ${label}` },
    { originalUrl: 'https://a.example/2', label: label && `Two, ${label}` },
  ];

  test.each([
    ['https://a.example/1 One, x\nhttps://a.example/2 Two, x\n', 'x'],
    ['https://a.example/1 One, x\n\nhttps://a.example/2 - Two, x\n', 'x'],
    ['- [One, x](https://a.example/1)\n- [Two, x](https://a.example/2)\n', 'x'],
    ['[One, x](https://a.example/1)\n[Two, x](https://a.example/2)\n', 'x'],
    ['* https://a.example/1\n* https://a.example/2\n', ''],
    ['1. https://a.example/1\n2. https://a.example/2\n', ''],
    ['- <https://a.example/1>\n- <https://a.example/2>\n', ''],
  ])('can have titles and bullets: %j', async (file, label) => {
    const { about } = await readAll(file);
    expect(about.source).toBe('list');
    expect(await readLinks(undefined, file)).toMatchObject(links(label));
  });

  test('is no table that has spaces in its cells', async () => {
    const file = 'https://a.example/1,one link\nhttps://a.example/2,two links\n';
    const { about, rows } = await readAll(file);
    expect(about.source).toBe('csv');
    expect(rows).toMatchObject([
      { source: { originalUrl: 'https://a.example/1' } },
      { source: { originalUrl: 'https://a.example/2' } },
    ]);
  });
});

describe('a table', () => {
  test('can have a space after each comma', async () => {
    const file = '"alias", "url", "title"\n"a", "https://a.example/", "One, two"\n';
    expect(await readLinks(undefined, file)).toMatchObject([{ alias: 'a', title: 'One, two' }]);
  });

  test('whose row is one cell in quotation marks says so', async () => {
    const [row] = await read(undefined, 'alias,url,title\n"a,https://a.example/,""T"""\n');
    expect(row?.issues).toMatchObject([{ message: 'The row is one cell in quotation marks.' }]);
  });

  test('of redirects needs no header', async () => {
    const file = '/old-page/;https://a.example/1\n/sale;https://a.example/2\n';
    expect(await readLinks(undefined, file)).toMatchObject([
      { alias: 'old-page' },
      { alias: 'sale' },
    ]);
  });

  test.each(['^/blog/(.*)$', '/blog/.+', '/blog/*'])(
    'of redirects has no link for many addresses, such as %s',
    async (source) => {
      const file = `source,target,regex\n${source},https://a.example/$1,1\n/sale,https://a.example/,0\n`;
      expect(await read(undefined, file)).toMatchObject([
        { issues: [{ field: 'alias', message: expect.stringContaining('many addresses') }] },
        { link: { alias: 'sale' } },
      ]);
    },
  );

  test('with the host of each target does not mean the domain of short links', async () => {
    const file = 'url,domain_name,saved_at\nhttps://a.example/,a.example,2024-01-05\n';
    expect(await readLinks(undefined, file)).toMatchObject([{ domain: null, created: JAN_5 }]);
  });

  test('with the ID of each record has no aliases', async () => {
    const file = 'id,url\n01HKD4T2N8X5Z6Q7R8S9T0V1W2,https://a.example/\n';
    expect(await readLinks(undefined, file)).toMatchObject([{ alias: '' }]);
  });

  test('can have lists as Python writes them', async () => {
    const file = `url,tags\nhttps://a.example/,"['a b', ""it's"", 'c']"\n`;
    expect(await readLinks(undefined, file)).toMatchObject([{ tags: ['a b', "it's", 'c'] }]);
  });
});

test('bookmarks can have the times of Chromium, in microseconds since 1601', async () => {
  const bookmark = (time: string) =>
    `<DT><A HREF="https://a.example/" ADD_DATE="${time}">One</A>\n`;
  const file = `<!DOCTYPE NETSCAPE-Bookmark-file-1>\n${bookmark('13348886400000000')}`;
  expect(await readLinks(undefined, file)).toMatchObject([{ created: JAN_5, notes: [] }]);
  const ahead = file.replace('133', '233');
  expect(await readLinks(undefined, ahead)).toMatchObject([{ created: null }]);
});

test('bookmarks need no list around them', async () => {
  const file =
    '<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DT><A HREF="https://a.example/">One</A>\n<DD>Text\n';
  expect(await readLinks(undefined, file)).toMatchObject([{ label: 'One' }]);
});

describe('JSON', () => {
  const url = 'https://a.example/';
  test.each([
    ['Karakeep', { bookmarks: [{ createdAt: 1704412800, tags: ['a'], content: { url } }] }],
    [
      'Linkwarden',
      { collections: [{ links: [{ url, createdAt: '2024-01-05', tags: [{ name: 'a' }] }] }] },
    ],
  ])('of %s has its links', async (_, json) => {
    expect(await readLinks(undefined, JSON.stringify(json))).toMatchObject([
      { originalUrl: url, created: JAN_5, tags: ['a'] },
    ]);
  });

  test.each([
    '{"guid":"root________","title":"","children":[]}',
    '{\n   "checksum": "0a",\n   "roots": {}}',
  ])('that a browser keeps its bookmarks in says what to do: %j', async (file) => {
    await expect(readAll(file)).rejects.toThrow(/export them as HTML/);
  });
});
