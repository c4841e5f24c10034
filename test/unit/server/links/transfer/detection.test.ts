import { describe, expect, test } from 'vitest';
import { readAll } from './support.ts';

const aboutOf = async (...args: Parameters<typeof readAll>) => (await readAll(...args)).about;
const fieldsOf = async (...args: Parameters<typeof readAll>) =>
  Object.fromEntries((await aboutOf(...args)).columns.map(({ name, field }) => [name, field]));
const codeOf = (file: string) =>
  readAll(file).then(
    () => 'no error',
    (error) => `${error.code}: ${error.message}`,
  );

const URL_1 = 'https://long.example/first/page';
const URL_2 = 'https://other.example/second/page';

test.each([
  ['curt', `{"version":1,"links":[{"alias":"a","originalUrl":"${URL_1}"}]}`],
  ['curt', 'alias,originalUrl,title\nkeyword,https://example.com,\n'],
  ['curt', 'id;shortUrl;originalUrl\n1;https://s.example/a;https://example.com\n'],
  ['shlink', `{"shortUrls":{"data":[{"shortCode":"a","longUrl":"${URL_1}"}]}}`],
  ['shlink', `createdAt,shortUrl,longUrl,title,shortCode,tags,visits\n,,${URL_1},,a,,\n`],
  ['kutt', `{"data":[{"id":"1","address":"a","target":"${URL_1}","visit_count":1}]}`],
  ['dub', `[{"domain":"dub.sh","key":"a","shortLink":"https://dub.sh/a","url":"${URL_1}"}]`],
  [
    'yourls',
    `{"links":{"link_1":{"shorturl":"https://s.example/a","url":"${URL_1}","clicks":"1"}}}`,
  ],
  ['yourls', `"keyword","url","title","timestamp","ip","clicks"\n"a","${URL_1}"\n`],
  [
    'bitly',
    `{"links":[{"id":"bit.ly/a","long_url":"${URL_1}","created_at":"2024-01-01T00:00:00Z"}]}`,
  ],
  ['bitly', `\ufeffTitle,Bitlink,Destination URL\n,bit.ly/a,${URL_1}\n`],
  ['bitly', `Link,Custom Link,Destination URL\nhttps://bit.ly/a,,${URL_1}\n`],
  ['shlink', `original_url,short_code,title_was_auto_resolved\n${URL_1},a,1\n`],
  ['csv', `Link,Long URL,Clicks\nhttps://s.example/a,${URL_1},1\n`],
  ['csv', `Original URL,Short URL\n${URL_1},https://s.example/a\n`],
  ['list', `${URL_1}\n${URL_2}\n`],
  ['list', `${URL_1}\nmailto:ann@example.com\n# More\n${URL_2}\na.example/x,y\n`],
])('recognizes a file of %s: %s', async (source, file) => {
  expect(await aboutOf(file)).toMatchObject({ source });
});

test('the answer names the columns that tell the source', async () => {
  const { signs } = await aboutOf(`Title,Bitlink,Long URL\n,bit.ly/a,${URL_1}\n`);
  expect(signs).toEqual(['Bitlink']);
});

describe('any table', () => {
  test.each([
    ['Original URL,Short URL', { 'Original URL': 'originalUrl', 'Short URL': 'shortUrl' }],
    ['Short Link,Destination', { 'Short Link': 'shortUrl', Destination: 'originalUrl' }],
    ['url,alias', { url: 'originalUrl', alias: 'alias' }],
    ['url,slug', { url: 'originalUrl', slug: 'alias' }],
    ['url,short_id', { url: 'originalUrl', short_id: 'alias' }],
    ['URL,Custom short URL', { URL: 'originalUrl', 'Custom short URL': 'shortUrl' }],
    ['link,title', { link: 'originalUrl', title: 'title' }],
    ['link,long url', { link: 'shortUrl', 'long url': 'originalUrl' }],
  ])('%s', async (header, fields) => {
    expect(await fieldsOf(`${header}\n${URL_1},https://s.example/a\n`)).toEqual(fields);
  });

  test('what no name says, values say', async () => {
    const file = `What,Where,Old\nDocs,${URL_1},https://s.example/a\nBlog,${URL_2},https://s.example/b\n`;
    expect(await fieldsOf(file)).toEqual({ What: null, Where: 'originalUrl', Old: 'shortUrl' });
    const noHeader = `docs,${URL_1}\nblog,${URL_2}\n`;
    expect(await fieldsOf(noHeader)).toEqual({ 'Column 1': 'alias', 'Column 2': 'originalUrl' });
    const numbered = `1|${URL_1}|docs|4\n2|${URL_2}|blog|0\n`;
    expect(await fieldsOf(numbered)).toMatchObject({ 'Column 1': null, 'Column 3': 'alias' });
    const dated = `1234,${URL_1},2026-01-31\n1235,${URL_2},2026-02-01\n`;
    expect(await fieldsOf(dated)).toMatchObject({ 'Column 1': 'alias', 'Column 3': null });
    const flagged = `1234|${URL_1}|yes|shop\n1235|${URL_2}|no|shop\n`;
    expect(await fieldsOf(flagged)).toMatchObject({ 'Column 1': 'alias', 'Column 4': null });
    const repeated = `5|${URL_1}|docs\n5|${URL_1}|docs\n7|${URL_2}|blog\n`;
    expect(await fieldsOf(repeated)).toMatchObject({ 'Column 1': null, 'Column 3': 'alias' });
    const named = `Short link,Landing\nhttps://s.example/long-alias,https://a.example\n`;
    expect(await fieldsOf(named)).toEqual({ 'Short link': 'shortUrl', Landing: 'originalUrl' });
    const gaps = `What,Where\nDocs,${URL_1}\nBlog,n/a\nShop,${URL_2}\n`;
    expect(await fieldsOf(gaps)).toEqual({ What: null, Where: 'originalUrl' });
  });

  test.each([
    ['source,target,status', '/old-page,URL,active', { source: 'alias' }],
    ['source,target,regex,code,type,hits,title', '/old-page,URL,0,301,url,4,', { code: null }],
    ['id,source,destination,status', '4,/old-page,URL,active', { source: 'alias', id: null }],
    ['Source,Destination', 'https://s.example/old-page,URL', { Source: 'shortUrl' }],
    ['From,To,Status Code', '/old-page,URL,301', { From: 'alias', To: 'originalUrl' }],
    ['from,to', 'https://s.example/old-page,URL', { from: 'shortUrl', to: 'originalUrl' }],
    ['Origin,Target,Type', 'old-page,URL,301', { Origin: 'alias' }],
    ['From,To,Page', '2026-01-01,2026-02-01,URL', { From: null, To: null }],
    ['Source,Destination URL', 'newsletter,URL', { Source: null }],
  ])('of redirects, %s: %s', async (header, cells, expected) => {
    const { about, rows } = await readAll(`${header}\n${cells.replace('URL', URL_1)}\n`);
    const fields = Object.fromEntries(about.columns.map(({ name, field }) => [name, field]));
    expect(fields).toMatchObject(expected);
    const alias = cells.includes('old-page') ? 'old-page' : '';
    expect(rows[0]?.link).toMatchObject({ alias, originalUrl: { text: URL_1 } });
  });

  test('without a header is a table, also if a URL has a comma too many', async () => {
    const rows = [
      'https://a.example/?x=1,2,docs',
      `${URL_1},blog`,
      `${URL_2},shop`,
      '"https://b.example/,",b',
    ];
    const read = await readAll(`${rows.join('\n')}\n`);
    expect(read.about).toMatchObject({
      source: 'csv',
      columns: [{ field: 'originalUrl' }, { field: 'alias' }],
    });
    expect(read.rows.map(({ link, issues }) => link?.alias ?? issues[0]?.message)).toEqual([
      'The row has 3 cells, but most rows have 2.',
      ...['blog', 'shop', 'b'],
    ]);
    const asList = await readAll(`${rows.join('\n')}\n`, { from: 'list' });
    expect(asList.rows[0]?.link?.originalUrl.text).toBe('https://a.example/?x=1,2,docs');
    const asTable = await readAll(`${URL_1}\n${URL_2}\n`, { from: 'csv' });
    expect(asTable.about.columns).toMatchObject([{ field: 'originalUrl' }]);
  });

  test('an id is no alias if a short URL exists, or if it is a number', async () => {
    const withShort = `id,short url,url\nx1,https://s.example/a,${URL_1}\n`;
    expect(await fieldsOf(withShort)).toMatchObject({ id: null });
    expect(await fieldsOf(`id,url\n17,${URL_1}\n`)).toMatchObject({ id: null });
    expect(await fieldsOf(`id,url\nx1,${URL_1}\n`)).toMatchObject({ id: 'alias' });
    const digest = 'd41d8cd98f00b204e9800998ecf8427e';
    expect(await fieldsOf(`hash,url\n${digest},${URL_1}\n`)).toMatchObject({ hash: null });
  });

  test('of two columns for one field, the better one is chosen, and both are asked about', async () => {
    const { columns } = await aboutOf(`Destination,Long URL,alias\n${URL_2},${URL_1},a\n`);
    expect(columns).toMatchObject([
      { name: 'Destination', field: null, notes: ['same_field'], example: URL_2 },
      { name: 'Long URL', field: 'originalUrl', notes: ['same_field'] },
      { name: 'alias', field: 'alias', notes: [] },
    ]);
  });

  test('a mapping replaces what was guessed', async () => {
    const file = `Destination,Long URL,Notes\n${URL_2},${URL_1},n\n`;
    const mapping = { Destination: 'originalUrl', Notes: null } as const;
    expect(await fieldsOf(file, { mapping })).toEqual({
      Destination: 'originalUrl',
      'Long URL': null,
      Notes: null,
    });
    const wrong = readAll(file, { mapping: { Other: 'title' } });
    await expect(wrong).rejects.toMatchObject({ details: { issues: [{ path: 'mapping' }] } });
  });
});

test.each([
  ['a\n1\n', /^invalid_request: The file has 1 column: a; none is a URL\./],
  ['a,b,c\n1,2,3\n', /^invalid_request: The file has 3 columns: a, b, c; none is a URL\./],
  [
    '"url,alias"\n"https://example.com/a,b"\n',
    /Each row of the table is one cell .*: url,alias\. Save it/,
  ],
  [`"${'url,'.repeat(30)}"\nx\n`, new RegExp(`: ${'url,'.repeat(20)}\\. Save it`)],
  ['PK\u0003\u0004', /a workbook .* save it as CSV/],
  ['-- MySQL dump\nINSERT INTO x;\n', /an SQL dump: export the table of the links as CSV/],
  ['<!doctype html><p>Hello', /a page or XML/],
  ['{"a":1}', /no list of links/],
  ['[]', /no links/],
  ['', /no links.*originalUrl/],
])('what cannot be read says what it found: %j', async (file, message) => {
  expect(await codeOf(file)).toMatch(message);
});
