import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readTime } from '../../../../../server/links/transfer/meaning/cells.ts';
import { joinList, splitList } from '../../../../../server/links/transfer/meaning/field-values.ts';
import { IMPORT_BODY_MAX_BYTES, IMPORT_ROWS_MAX } from '../../../../../shared/bounds.ts';
import { fixture, read, readAll, readLinks, readStream, toFlatLink } from './support.ts';

const CSV = 'alias,originalUrl,title\r\na,https://a.example/,"Grüße, ""Welt"""\r\n';
const LINKS = [{ alias: 'a', originalUrl: 'https://a.example/', title: 'Grüße, "Welt"' }];

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'no error',
    (error) => `${error.code}: ${error.message}`,
  );

describe('encodings', () => {
  test.each([1, 2, 3, 1000])('UTF-8 in chunks of %i bytes', async (chunkBytes) => {
    expect(await readLinks('csv', CSV, chunkBytes)).toMatchObject(LINKS);
    const json = JSON.stringify(LINKS);
    expect(await readLinks('curt', json, chunkBytes)).toMatchObject(LINKS);
  });

  test('a byte order mark is accepted', async () => {
    expect(await readLinks('csv', `\ufeff${CSV}`)).toMatchObject(LINKS);
    expect(await readLinks('curt', `\ufeff${JSON.stringify(LINKS)}`)).toMatchObject(LINKS);
  });

  test.each([
    ['Latin-1', Buffer.from(CSV, 'latin1'), 'windows-1252'],
    ['UTF-16', Buffer.from(`\ufeff${CSV}`, 'utf16le'), 'utf-16le'],
    ['UTF-16 without a byte order mark', Buffer.from(CSV, 'utf16le'), 'utf-16le'],
    [
      'UTF-16, most significant byte first',
      Buffer.from(`\ufeff${CSV}`, 'utf16le').swap16(),
      'utf-16be',
    ],
  ])('%s is decoded, and the answer says so', async (_name, file, encoding) => {
    for (const chunkBytes of [1, 2, 3, 1000]) {
      const { rows, about } = await readAll(file, {}, chunkBytes);
      expect(rows.map(toFlatLink)).toMatchObject(LINKS);
      expect(about.encoding).toBe(encoding);
    }
  });

  test.each([
    ['UTF-8 that ends within a character', Buffer.from('alias,originalUrl\nü').subarray(0, -1)],
    ['Windows-1251', Buffer.from([...Buffer.from(CSV), 0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2])],
    ['Windows-1250', Buffer.from([...Buffer.from(CSV), 0xb3, 0x9c])],
    ['Shift_JIS', Buffer.from([...Buffer.from('title,originalUrl\n'), 0x93, 0xfa, 0x96, 0x7b])],
  ])('%s is an error that asks for the encoding', async (_name, file) => {
    expect(await codeOf(read('csv', file))).toMatch(/^invalid_request: .*not.*UTF-8/);
    await expect(readAll(file)).rejects.toMatchObject({
      details: { issues: [{ path: 'encoding' }] },
    });
  });

  test('an encoding that was chosen is used', async () => {
    const russian = Buffer.from([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2]);
    const start = Buffer.from('originalUrl,title\nhttps://a.example/,');
    const file = Buffer.concat([start, russian]);
    const { rows, about } = await readAll(file, { encoding: 'windows-1251' });
    expect(rows.map(toFlatLink)).toMatchObject([{ title: 'Привет' }]);
    expect(about.encoding).toBe('windows-1251');
    const wrong = readAll(file, { encoding: 'utf-8' });
    await expect(wrong).rejects.toThrow('The file is not encoded in utf-8.');
  });
});

describe('delimiters', () => {
  test.each([',', ';', '\t'])('%j is detected by the header', async (delimiter) => {
    const file = `Alias${delimiter}original URL\nb${delimiter}https://b.example/?x=1,2;3\n`;
    const quoted = file.replace('https://b.example/?x=1,2;3', '"https://b.example/?x=1,2;3"');
    expect(await readLinks('csv', quoted)).toMatchObject([
      { alias: 'b', originalUrl: 'https://b.example/?x=1,2;3' },
    ]);
  });

  test('a table without the required columns is an error that names them', async () => {
    const message = await codeOf(read('yourls', 'a,b\n1,2\n'));
    expect(message).toMatch(/^invalid_request: .*keyword and url/);
    expect(await codeOf(read('csv', ''))).toMatch(/originalUrl/);
  });

  test('sep= in the first line says it, and the next line is the header', async () => {
    const rows = await read(
      'csv',
      'sep=|\r\nalias|originalUrl\r\nb|https://b.example/?x=1,2;3\r\n',
    );
    expect(rows).toMatchObject([{ row: 3, source: { originalUrl: 'https://b.example/?x=1,2;3' } }]);
  });

  test('quotation marks after a backslash, as phpMyAdmin can write them', async () => {
    const file = 'keyword,url,title\n"a","https://a.example/","Say \\"hi\\", twice"\n';
    expect(await readLinks('yourls', file)).toMatchObject([{ label: 'Say "hi", twice' }]);
  });
});

describe('rows', () => {
  test('are numbered as in a spreadsheet, empty rows included', async () => {
    const rows = await read('csv', 'originalUrl\n\nhttps://a.example/\n,\n  \nx y\n');
    expect(rows.map(({ row }) => row)).toEqual([3, 6]);
  });

  test('can be empty above the header', async () => {
    const table = 'alias;originalUrl\nb;https://b.example/\n';
    for (const above of ['\r\n\r\n', ';;\n', 'sep=;\n\n']) {
      const [row] = await read(undefined, above + table);
      expect(row).toMatchObject({ row: above.split('\n').length + 1, link: { alias: 'b' } });
    }
  });

  test('can lack empty cells at the end, or have more of them', async () => {
    const rows = await read(
      'csv',
      'alias,originalUrl,title\nb,https://b.example/\nc,https://c.example/,,,\n',
    );
    expect(rows.map(toFlatLink)).toMatchObject([{ alias: 'b' }, { alias: 'c' }]);
  });

  test('without a target, or with more cells than columns, are invalid', async () => {
    const rows = await read('csv', 'alias,originalUrl\na\nb,https://b.example/,c\n');
    expect(rows).toMatchObject([
      { row: 2, issues: [{ field: 'originalUrl', message: 'Is required.' }] },
      { row: 3, issues: [{ message: 'The row has 3 cells, but the header has 2.' }] },
    ]);
  });

  test('have white space and no-break spaces around cells', async () => {
    const file = 'alias;title;Original URL\n a\u00a0;\u00a0Title ; https://a.example/ \u00a0\n';
    const { rows } = await readAll(file);
    expect(rows.map(toFlatLink)).toMatchObject([
      { alias: 'a', originalUrl: 'https://a.example/', title: 'Title' },
    ]);
  });

  test('of several JSON documents in one file are read one after another', async () => {
    const page = await fixture('kutt/links.json');
    const rows = await read('kutt', Buffer.concat([page, page, Buffer.from('\n[]\n')]), 7);
    expect(rows.map(({ row }) => row)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  test(`are at most ${IMPORT_ROWS_MAX}, and reading stops there`, async () => {
    const row = 'https://a.b/\n';
    const table = `originalUrl\n${row.repeat(1_000_000)}`;
    expect(await codeOf(read('csv', table, 65_536))).toMatch(
      /^body_too_large: .*more than 10000 rows/,
    );
    const list = `[${'{},'.repeat(1_000_000)}{}]`;
    expect(await codeOf(read('curt', list, 65_536))).toMatch(/more than 10000 rows/);
    const full = `originalUrl\n${row.repeat(IMPORT_ROWS_MAX)}`;
    expect(await read('csv', full, 65_536)).toHaveLength(IMPORT_ROWS_MAX);
  });

  test.each(['\n', '\r\n', ' ;\n', '""\n'])(
    'that are empty (%j) are counted, too',
    async (emptyRow) => {
      const start = 'alias;originalUrl\n;https://a.b/\n';
      const most = start + emptyRow.repeat(IMPORT_ROWS_MAX - 1);
      expect(await read('csv', most, 65_536)).toHaveLength(1);
      expect(await codeOf(read('csv', most + emptyRow, 65_536))).toMatch(
        /^body_too_large: .*more than 10000 rows/,
      );
    },
  );

  test.each([
    ['csv', 'originalUrl\n', '\n'],
    ['csv', 'originalUrl\n', ',\n'],
    ['csv', 'originalUrl\n"', '""'],
    ['json', '[{},{"title":"', '\\u0041'],
    ['json', '[{},', '1'],
    ['json', '[{},', ' '],
    ['json', '[{},{"tags":[', '0,'],
    ['json', '[{}]', ' []'],
  ] as const)(
    'in a %s file that goes on with %j %j are not read further',
    async (_type, start, rest) => {
      const bytes = Buffer.from(start + rest.repeat(4 * 1024 * 1024));
      let chunks = 0;
      const file = function* () {
        for (let at = 0; at < bytes.length; at += 65_536) {
          chunks++;
          yield bytes.subarray(at, at + 65_536);
        }
      };
      const error = await codeOf(readStream(file(), { from: 'curt' }));
      expect(error).toMatch(/^(body_too_large|invalid_request): /);
      expect(chunks).toBeLessThan(10);
    },
  );
});

test.each(['csv', 'json'] as const)(
  'a large %s file leaves turns to other requests',
  async (type) => {
    const rows = Array.from({ length: IMPORT_ROWS_MAX }, () => 'https://example.com/');
    const list = JSON.stringify(rows.map((originalUrl) => ({ originalUrl })));
    let turns = 0;
    let isReading = true;
    const count = () => {
      turns++;
      if (isReading) setImmediate(count);
    };
    setImmediate(count);
    const file = type === 'csv' ? `originalUrl\n${rows.join('\n')}` : list;
    await read('curt', file, 10_000_000);
    isReading = false;
    expect(turns).toBeGreaterThan(3);
  },
);

describe('files that are incomplete or invalid', () => {
  test('JSON that is cut off anywhere is an error with the last complete row', async () => {
    const file = String(await fixture('kutt/links.json')).trimEnd();
    for (let length = 0; length < file.length; length += 23) {
      const message = await codeOf(read('kutt', file.slice(0, length)));
      expect(message).toMatch(/^invalid_(json|request): /);
    }
    const afterSecond = file.indexOf('"spring-menu"') + 1200;
    expect(await codeOf(read('kutt', file.slice(0, afterSecond)))).toMatch(/after row 2/);
  });

  test('a table that ends within a quoted cell is an error with the last complete row', async () => {
    const message = await codeOf(read('csv', `${CSV}b,https://b.example/,"cut o`));
    expect(message).toMatch(/^invalid_request: .*after row 2/);
  });

  test('a quote that is never closed does not take in the whole file', async () => {
    const file = `alias,originalUrl\na,"${'b,https://b.example/\n'.repeat(100_000)}`;
    expect(await codeOf(read('csv', file))).toMatch(/^body_too_large: Row 2 .*no end/);
  });

  test('a row that is too large to be validated at once is an error', async () => {
    const tags = Array(100_000).fill(0);
    const list = JSON.stringify([{ originalUrl: 'https://a.example/', tags }]);
    expect(await codeOf(read('curt', list))).toMatch(/^body_too_large: Row 1 is too large/);
    const text = JSON.stringify([
      { originalUrl: 'https://a.example/', title: 'x'.repeat(200_000) },
    ]);
    expect(await codeOf(read('curt', text))).toMatch(/^body_too_large: Row 1 is too large/);
    const cells = `${CSV}${','.repeat(200_000)}`;
    expect(await codeOf(read('csv', cells))).toMatch(/^body_too_large: Row 3 is too large/);
    const cell = `${CSV}b,https://b.example/,"${'x'.repeat(200_000)}"\n`;
    expect(await codeOf(read('csv', cell))).toMatch(/^body_too_large: Row 3 is too large/);
    const header = ','.repeat(200_000);
    expect(await codeOf(read('csv', header))).toMatch(/^invalid_request: .*originalUrl/);
  });

  const inFolders = (names: string[], links: number) =>
    [
      ...names.map((name) => `<DT><H3>${name}</H3><DL><p>`),
      ...Array(links).fill('<DT><A HREF="https://a.example/">A</A>\n'),
    ].join('');
  test.each([
    ['one long name of a folder', inFolders(['x'.repeat(60_000)], 10_000)],
    ['long names of nested folders', inFolders(Array(12).fill('x'.repeat(4000)), 10_000)],
    ['more folders than a person nests', inFolders(Array(100_000).fill('x'), 10_000)],
    ['characters that are entities', inFolders(['&lt;'.repeat(15_000)], 10_000)],
  ])(
    'bookmarks with %s are an error that names the row, and hold no more than a file',
    async (_name, file) => {
      let reserved = 0;
      const reserve = (bytes: number) => {
        reserved += bytes;
      };
      const message = await codeOf(readStream([Buffer.from(file)], { reserve }));
      expect(message).toMatch(/^body_too_large: .*row \d+/i);
      expect(reserved).toBeLessThanOrEqual(IMPORT_BODY_MAX_BYTES);
    },
  );

  test('what rows take beyond their file is reserved', async () => {
    let reserved = 0;
    const reserve = (bytes: number) => {
      reserved += bytes;
    };
    const file = inFolders(['x'.repeat(1000)], 1000);
    await readStream([Buffer.from(file)], { reserve });
    expect(reserved).toBeGreaterThan(1_000_000);
  });

  test('what is said of a row is bounded, whatever the row has', async () => {
    const names = Array.from({ length: 190 }, (_, index) => `${'x'.repeat(7)} password ${index}`);
    const table = [
      ['url', ...names],
      ['https://a.example/', ...names.map(() => '1')],
    ];
    const tags = Array(400).fill('');
    for (const file of [
      table.map((cells) => cells.join()).join('\n'),
      JSON.stringify([{ originalUrl: 'https://a.example/', tags }]),
      `url,${'password '.repeat(800)}\nhttps://a.example/,1\n`,
    ]) {
      const { rows } = await readAll(file);
      expect(rows).toHaveLength(1);
      expect(JSON.stringify(rows[0]?.issues).length).toBeLessThan(6000);
    }
  });

  test.each([
    ['other JSON', '{"a":1}'],
    ['a number', '7'],
    ['nothing', ' '],
    ['links elsewhere', '{"elsewhere":[]}'],
  ])('%s is an error', async (_name, file) => {
    expect(await codeOf(read('curt', file))).toMatch(/^invalid_(json|request): /);
  });

  test('JSON that is nested too deeply is an error', async () => {
    expect(await codeOf(read('curt', '['.repeat(100_000)))).toMatch(/^invalid_json: /);
  });

  test('an empty list has no rows', async () => {
    expect(await read('curt', '[]')).toEqual([]);
    expect(await read('yourls', '{"links":{}}')).toEqual([]);
  });

  test('a file of a newer version is an error', async () => {
    const file = '{"curt":"links","version":2,"links":[]}';
    expect(await codeOf(read('curt', file))).toMatch(/^invalid_request: .*newer version/);
  });

  test('one byte more than 16 MiB is an error, one byte less is not', async () => {
    const rows = 256;
    const row = Buffer.from(
      `${'[{"originalUrl":"https://a.example/"}]'.padEnd(IMPORT_BODY_MAX_BYTES / rows - 1)}\n`,
    );
    const allowed = Buffer.concat(Array(rows).fill(row));
    expect(allowed).toHaveLength(IMPORT_BODY_MAX_BYTES);
    expect(await read('curt', allowed, 1_000_000)).toHaveLength(rows);
    const larger = Buffer.concat([allowed, Buffer.from(' ')]);
    expect(await codeOf(read('curt', larger, 1_000_000))).toMatch(/^body_too_large: .*16 MiB/);
  });
});

test('any tags survive in one cell', () => {
  const tag = fc.string().filter((text) => text === text.trim() && text !== '');
  fc.assert(
    fc.property(fc.array(tag), (tags) => {
      expect(splitList(joinList(tags))).toEqual(tags);
    }),
  );
});

test('tags of a hand-written table are separated by a comma or a vertical bar', () => {
  expect(splitList('sale, summer|tour,,')).toEqual(['sale', 'summer', 'tour']);
});

test.each([
  [
    '$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHRzb21l$kOZ9JDKIOhOuCsd2gEpHBKVIQVYgU6IzL2jEhH+wbj0',
    true,
  ],
  [
    '$argon2id$v=19$m=4194304,t=2,p=1$c29tZXNhbHRzb21l$kOZ9JDKIOhOuCsd2gEpHBKVIQVYgU6IzL2jEhH+wbj0',
    false,
  ],
  [
    '$argon2id$v=19$m=19456,t=200,p=1$c29tZXNhbHRzb21l$kOZ9JDKIOhOuCsd2gEpHBKVIQVYgU6IzL2jEhH+wbj0',
    false,
  ],
  [
    '$argon2i$v=19$m=19456,t=2,p=1$c29tZXNhbHRzb21l$kOZ9JDKIOhOuCsd2gEpHBKVIQVYgU6IzL2jEhH+wbj0',
    false,
  ],
  ['$2b$12$KIXQ8y8Jd4b3Q1e9b7m9wuR1o0lq8v7k6j5h4g3f2d1s0a9z8y7x6', false],
  ['secret', false],
])(
  'the password hash %s is kept: %s; otherwise the link is paused',
  async (passwordHash, isKept) => {
    const link = { originalUrl: 'https://a.example/', hasPassword: true, passwordHash };
    const [row] = await read('curt', JSON.stringify([link]));
    expect(row?.link).toMatchObject({
      passwordHash: isKept ? passwordHash : null,
      isActive: isKept,
    });
    expect(row?.issues).toHaveLength(isKept ? 0 : 1);
  },
);

const NOON = Date.UTC(2026, 0, 31, 12);

test.each([
  ['2026-01-31T12:00:00Z', NOON],
  ['2026-01-31t12:00:00z', NOON],
  ['2026-01-31 12:00:00', NOON],
  ['2026-01-31 12:00', NOON],
  ['2026-01-31 12:00:00 UTC', NOON],
  ['2026-01-31 12:00:00.000 Z', NOON],
  [' 2026-01-31 13:00:00+0100 ', NOON],
  ['2026-01-31 13:00:00+01', NOON],
  ['2026-01-31 13:00:00 +01:00', NOON],
  ['2026-01-31', Date.UTC(2026, 0, 31)],
  ['0000-00-00 00:00:00', null],
])('in a file, %j is a time', (text, time) => {
  expect(readTime(text, null)).toEqual({ value: time ?? undefined });
});

test.each(['', '31.13.2026', '2026-02-30', '2026-01-31 25:00', '2026-01-31 12:00 CET', '12:00'])(
  'in a file, %j is none',
  (text) => {
    expect(readTime(text, null)).toHaveProperty('problem');
  },
);

/** `Grüße, Málaga, Ärger, über, schön`. */
const ACCENTS = 'Grüße, Málaga, Ärger, über, schön';
test.each([
  ['macintosh', 'Gr\x9f\xa7e, M\x87laga, \x80rger, \x9fber, sch\x9an'],
  ['cp850', 'Gr\x81\xe1e, M\xa0laga, \x8erger, \x81ber, sch\x94n'],
  ['cp437', 'Gr\x81\xe1e, M\xa0laga, \x8erger, \x81ber, sch\x94n'],
  ['cp852', 'Gr\x81\xe1e, M\xa0laga, \x8erger, \x81ber, sch\x94n'],
] as const)('a table in %s asks for its encoding, and is read in it', async (encoding, text) => {
  const file = Buffer.from(`url;title\nhttps://a.example/;"${text}"\n`, 'latin1');
  await expect(readAll(file)).rejects.toMatchObject({
    details: { issues: [{ path: 'encoding' }] },
  });
  for (const chunkBytes of [1, 1000]) {
    const { rows, about } = await readAll(file, { encoding }, chunkBytes);
    expect(rows.map(toFlatLink)).toMatchObject([{ title: ACCENTS }]);
    expect(about.encoding).toBe(encoding);
  }
});

test.each(['sch\x94n', 'f\x84r', 'voil\x85a'])('%j is no word of Windows-1252', async (word) => {
  const file = Buffer.from(`url;title\nhttps://a.example/;${word}\n`, 'latin1');
  expect(await codeOf(readAll(file))).toMatch(/encod/);
});

test.each([
  ['45292', Date.UTC(2024, 0, 1)],
  ['45292.5', Date.UTC(2024, 0, 1, 12)],
  ['45292,5', Date.UTC(2024, 0, 1, 12)],
  ['20240101', Date.UTC(2024, 0, 1)],
  ['1704067200', Date.UTC(2024, 0, 1)],
  ['7', null],
  ['soon', null],
  ['32.13.2024', null],
])('%s as the date of creation costs no link', async (cell, created) => {
  const { rows } = await readAll(`url;created\nhttps://a.example/;${cell}\n`);
  const [{ link, issues } = { issues: [] }] = rows;
  expect(link?.created).toBe(created);
  expect(issues).toHaveLength(created === null ? 1 : 0);
});

test.each([
  ['1,00E+05', 100_000],
  ['1.25E+06', 1_250_000],
  ['12.0', 12],
  ['1.234', 1234],
  ['many', 0],
  ['-1', 0],
  ['1e99', 0],
])('%s as the number of visitors costs no link', async (cell, hits) => {
  const { rows } = await readAll(`url;clicks\nhttps://a.example/;"${cell}"\n`);
  const [{ link, issues } = { issues: [] }] = rows;
  expect(link?.hits).toBe(hits);
  expect(issues).toHaveLength(hits === 0 ? 1 : 0);
});

test.each([1, 7, 10_000])(
  'a > in a quoted attribute of a bookmark ends no tag, in chunks of %i bytes',
  async (chunkBytes) => {
    const file = `<!DOCTYPE NETSCAPE-Bookmark-file-1>
<DL><p>
<DT><A HREF="https://a.example/?q=a>b&c=1" ADD_DATE="1704067200" TAGS="x>y,<b>,it's">A > B</A>
<DT><A HREF='https://b.example/' TAGS='"q">'>B</A>
<DT><A HREF="https://c.example/>C</A>
<DT><A HREF="https://d.example/">D</A>
</DL>`;
    const { rows } = await readAll(file, {}, chunkBytes);
    expect(rows.flatMap(({ link }) => link ?? [])).toMatchObject([
      {
        originalUrl: { text: 'https://a.example/?q=a>b&c=1' },
        tags: ['x>y', '<b>', "it's"],
        label: 'A > B',
      },
      { originalUrl: { text: 'https://b.example/' }, tags: ['"q">'], label: 'B' },
      { originalUrl: { text: 'https://d.example/' }, label: 'D' },
    ]);
    expect(rows).toHaveLength(4);
  },
);

test("Pocket's list", async () => {
  const file = `<!DOCTYPE html><html><head><title>Pocket Export</title></head><body><h1>Unread</h1><ul>
<li><a href="https://a.example/" time_added="1704067200" tags="one,two">A</a></li>
<li><a href="https://b.example/" time_added="1704067201" tags="">B</a></li></ul></body></html>`;
  const { rows } = await readAll(file);
  expect(rows.map(toFlatLink)).toMatchObject([
    {
      originalUrl: 'https://a.example/',
      label: 'A',
      tags: ['one', 'two'],
      created: Date.UTC(2024, 0, 1),
    },
    { originalUrl: 'https://b.example/', label: 'B', tags: [] },
  ]);
});

const A = 'https://a.example/x';
const B = 'https://b.example/y';
test.each([
  [
    'a title above the header',
    `Links of spring\n\nurl;alias\n${A};a\n${B};b\n`,
    [{ alias: 'a' }, { alias: 'b' }],
  ],
  ['a title with empty cells', `Links of spring,,\nurl,alias,note\n${A},a,\n`, [{ alias: 'a' }]],
  [
    'JSON with one link a line',
    `{"url":"${A}","alias":"a"}\n\n{"url":"${B}","alias":"b"}`,
    [{ alias: 'a' }, { alias: 'b' }],
  ],
  ['JSON with one link', `{"url":"${A}","tags":["x"]}\n`, [{ originalUrl: A, tags: ['x'] }]],
  [
    'OneTab',
    `${A} | A | page\n${B} | b\n\n${A}z\n`,
    [
      { originalUrl: A, label: 'A | page' },
      { originalUrl: B, label: 'b' },
      { originalUrl: `${A}z` },
    ],
  ],
  ['tags as JSON', `url;tags\n${A};"[""a"",""b,c""]"\n`, [{ tags: ['a', 'b,c'] }]],
  ['tags of PostgreSQL', `url;tags\n${A};"{a,""b c"",d}"\n`, [{ tags: ['a', 'b c', 'd'] }]],
  ['tags with semicolons', `url,tags\n${A},a; b\n`, [{ tags: ['a', 'b'] }]],
  [
    'tags as objects',
    `[{"url":"${A}","tags":[{"tag":"a"},{"label":"b"},{"id":1,"name":"c"}]}]`,
    [{ tags: ['a', 'b', 'c'] }],
  ],
  ['tags as an object', `[{"url":"${A}","tags":{"a":{"tag":"a"},"b":{}}}]`, [{ tags: ['a', 'b'] }]],
  ['RowKey', `PartitionKey,RowKey,url\nx,go,${A}\n`, [{ alias: 'go' }]],
  ['vanity', `vanity,url\ngo,${A}\n`, [{ alias: 'go' }]],
  ['name of a link', `name,url\ngo,${A}\nhr,${B}\n`, [{ alias: 'go' }, { alias: 'hr' }]],
  [
    'name that is a title',
    `name,url\nOur team,${A}\nhr,${B}\n`,
    [{ label: 'Our team' }, { label: 'hr' }],
  ],
  [
    "Pocket's list as JSON",
    `{"status":1,"list":{"7":{"item_id":"7","given_url":"${A}","resolved_url":"${A}","given_title":"","resolved_title":"A","time_added":"1704067200","tags":{"x":{"tag":"x"}}}}}`,
    [{ originalUrl: A, label: 'A', tags: ['x'], created: 1_704_067_200_000 }],
  ],
  [
    'Pinboard',
    `[{"href":"${A}","description":"A","extended":"","meta":"m","hash":"h","time":"2024-01-01T00:00:00Z","shared":"no","toread":"yes","tags":"x y"}]`,
    [{ originalUrl: A, label: 'A', tags: ['x', 'y'], isActive: true }],
  ],
])('%s', async (_name, file, links) => {
  for (const chunkBytes of [5, 10_000]) {
    expect((await readAll(file, {}, chunkBytes)).rows.map(toFlatLink)).toMatchObject(links);
  }
});

test('JSON with one link a line that does not end, or is cut off, is an error', async () => {
  const long = `{"url":"${A}"}\n{"url":"${'x'.repeat(200_000)}`;
  expect(await codeOf(readAll(long))).toMatch(/^(body_too_large|invalid_json)/);
  expect(await codeOf(readAll(`{"url":"${A}"}\n{"url":"${B}`))).toMatch(/^invalid_json/);
});
