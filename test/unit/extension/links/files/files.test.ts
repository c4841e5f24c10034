import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readCsv, writeCsv } from '../../../../../extension/links/files/csv.ts';
import { fileName } from '../../../../../extension/links/files/entry.ts';
import { readJson, writeJson } from '../../../../../extension/links/files/json.ts';
import { readLinkFile } from '../../../../../extension/links/files/read.ts';
import type { ListedLink } from '../../../../../extension/links/link.ts';

const NOW = new Date(2030, 0, 31, 12);

const LINK: ListedLink = {
  title: 'A page',
  shortUrl: 'https://curt.example/abc',
  originalUrl: 'https://example.com/page',
  created: '2030-01-31T12:00:00.000Z',
  expiresAt: null,
  hasPassword: false,
  waitTimerSeconds: 0,
  serverOrigin: 'https://curt.example',
  requestedUrl: 'https://example.com/page',
};

/** Any link that the list can contain, with titles and URLs that are hard to serialize. */
const hard = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.string({
    unit: fc.constantFrom('=', '+', '-', '@', "'", '"', ',', ';', '\t', '\r', '\n', ' ', 'a', '＝'),
    maxLength: 20,
  }),
);
const iso = fc
  .date({ noInvalidDate: true, min: new Date('2000-01-01'), max: new Date('2100-01-01') })
  .map((date) => date.toISOString());
const webUrl = fc.webUrl({ withQueryParameters: true, withFragments: true, size: 'small' });
const anyLink: fc.Arbitrary<ListedLink> = fc.record({
  title: hard,
  shortUrl: webUrl,
  originalUrl: webUrl,
  created: iso,
  expiresAt: fc.option(iso),
  hasPassword: fc.boolean(),
  waitTimerSeconds: fc.integer({ min: 0, max: 300 }),
  serverOrigin: webUrl.map((url) => new URL(url).origin),
  requestedUrl: hard.filter((url) => url !== ''),
});

describe.each([
  ['JSON', (links: ListedLink[]) => writeJson(links, NOW)],
  ['CSV', writeCsv],
])('a %s file', (_, write) => {
  test('returns each link unchanged, whatever it contains', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyLink, { maxLength: 8 }), async (links) => {
        const read = await readLinkFile(new Blob([write(links)]));
        expect(read).toEqual({ ok: true, places: expect.anything(), links, issues: [] });
      }),
    );
  });
});

describe('a CSV file', () => {
  const header = 'title,shortUrl,originalUrl,created';
  const row = 'A page,https://curt.example/abc,https://example.com/page,2030-01-31T12:00:00.000Z';

  test('follows RFC 4180, with a byte order mark and every cell quoted', () => {
    expect(writeCsv([{ ...LINK, title: 'Say "hello", =1' }])).toBe(
      '\ufeff"title","shortUrl","originalUrl","created","expiresAt","hasPassword","waitTimerSeconds","server","requestedUrl","tags"\r\n' +
        '"Say ""hello"", =1","https://curt.example/abc","https://example.com/page","2030-01-31T12:00:00.000Z","","no","0","https://curt.example","https://example.com/page",""\r\n',
    );
  });

  test('has the tags of a link', () => {
    const managed = { id: 'abc', version: 1, tags: ['Print', 'sale'] };
    expect(writeCsv([{ ...LINK, managed }])).toMatch(/,"Print, sale"\r\n$/);
  });

  test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '＝1', "'=1"])(
    'contains %j as text, not as a formula',
    (title) => {
      const [, cells] = writeCsv([{ ...LINK, title }]).split('\n"');
      expect(cells?.startsWith("'")).toBe(true);
      expect(readCsv(writeCsv([{ ...LINK, title }]))).toMatchObject({ links: [{ title }] });
    },
  );

  test.each([
    ['with the columns that are needed', `${header}\n${row}\n`],
    ['with semicolons', `${header}\n${row}\n`.replaceAll(',', ';')],
    ['with tabs', `${header}\n${row}\n`.replaceAll(',', '\t')],
    ['with other columns too', `note,${header}\nmine,${row}`],
    ['with empty lines', `${header}\r\n\r\n${row}\r\n\r\n`],
    ['with headings in capitals', `${header.toUpperCase()}\n${row}`],
  ])('can be read %s', (_, text) => {
    expect(readCsv(text)).toEqual({ ok: true, places: 'lines', links: [LINK], issues: [] });
  });

  test('returns its valid rows, and reports the line and fields of the others', () => {
    const lines = [
      header,
      row,
      '"Two',
      'lines",https://curt.example/two,https://example.com/,2030-01-31T12:00:00Z',
      'No URL,javascript:alert(1),https://example.com/,2030-01-31T12:00:00Z',
      'No date,https://curt.example/x,,yesterday',
      row.replace('/abc', '/last'),
    ];
    const read = readCsv(lines.join('\r\n'));
    expect(read.ok && read.links.map(({ shortUrl }) => shortUrl)).toEqual([
      'https://curt.example/abc',
      'https://curt.example/two',
      'https://curt.example/last',
    ]);
    expect(read.ok && read.issues).toEqual([
      { place: 5, fields: ['shortUrl'] },
      { place: 6, fields: ['originalUrl', 'created'] },
    ]);
  });

  test('with an unclosed quotation mark reports the line', () => {
    const read = readCsv(`${header}\n${row}\n"open,${row}`);
    expect(read).toMatchObject({ links: [LINK], issues: [{ place: 3, fields: [] }] });
  });
});

describe('a JSON file', () => {
  const file = (more: object) =>
    JSON.stringify({ format: 'curt-links', version: 1, links: [], ...more });

  test('has its format, version and date', () => {
    expect(JSON.parse(writeJson([LINK], NOW))).toMatchObject({
      format: 'curt-links',
      version: 1,
      exported: NOW.toISOString(),
      links: [{ shortUrl: LINK.shortUrl, server: LINK.serverOrigin }],
    });
  });

  test('returns its valid entries, and reports the position and fields of the others', () => {
    const { title, shortUrl, originalUrl, created } = LINK;
    const valid = { title, shortUrl, originalUrl, created };
    const invalid = [{ ...valid, hasPassword: 'no' }, 'nonsense', { title }];
    expect(readJson(file({ links: [invalid[0], valid, invalid[1], invalid[2]] }))).toEqual({
      ok: true,
      places: 'entries',
      links: [LINK],
      issues: [
        { place: 1, fields: ['hasPassword'] },
        { place: 3, fields: [] },
        { place: 4, fields: ['shortUrl', 'originalUrl', 'created'] },
      ],
    });
  });

  test('of a newer version is rejected', () => {
    expect(readJson(file({ version: 2 }))).toEqual({ ok: false, code: 'file_newer' });
  });
});

test.each([
  ['', 'file_empty'],
  [' \n', 'file_empty'],
  ['{', 'file_foreign'],
  ['[]', 'file_foreign'],
  ['{"format":"other","version":1,"links":[]}', 'file_foreign'],
  ['name,price\nbread,2', 'file_foreign'],
  ['<html>', 'file_foreign'],
])('a file with %j is rejected as %s', async (text, code) => {
  expect(await readLinkFile(new Blob([text]))).toEqual({ ok: false, code });
});

test('no title is a formula in a CSV file', () => {
  fc.assert(
    fc.property(hard, (title) => {
      const [, cells = ''] = writeCsv([{ ...LINK, title }]).split('\r\n"');
      expect(cells).not.toMatch(/^[=+\-@\t\r\n]/);
    }),
  );
});

test('the file name contains the local date', () => {
  expect(fileName('csv', new Date(2030, 8, 5, 23, 59))).toBe('curt-links-2030-09-05.csv');
});
