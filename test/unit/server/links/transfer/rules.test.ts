import { describe, expect, test } from 'vitest';
import { readAll, toFlatLink } from './support.ts';

const URL_1 = 'https://long.example/page';

const NO_VISITS_LEFT = ['It has no visits left, so the link is paused.'];

async function readTable(header: string, cells: string, options = {}) {
  const { about, rows } = await readAll(`url,${header}\n${URL_1},${cells}\n`, options);
  return { ...about, row: rows[0], link: rows[0]?.link && toFlatLink(rows[0]) };
}

describe('protection', () => {
  test.each([
    ['expires', '2030-01-31', { expiresAt: Date.UTC(2030, 0, 31) }],
    ['valid until', '31.01.2030 23:59', { expiresAt: Date.UTC(2030, 0, 31, 23, 59) }],
    ['Gültig bis', '31.01.2030', { expiresAt: Date.UTC(2030, 0, 31) }],
    ["Date d'expiration", '31.01.2030', { expiresAt: Date.UTC(2030, 0, 31) }],
    ['Fecha de caducidad', '31.01.2030', { expiresAt: Date.UTC(2030, 0, 31) }],
    ['有効期限', '2030/1/31', { expiresAt: Date.UTC(2030, 0, 31) }],
    ['start date', '2030-01-31', { startsAt: Date.UTC(2030, 0, 31) }],
    ['max clicks', '"1,234"', { maxVisits: 1234 }],
    ['click limit', '1.234', { maxVisits: 1234 }],
  ])('a column %s that says %s is kept', async (name, cell, expected) => {
    expect((await readTable(name, cell)).link).toMatchObject({ ...expected, isActive: true });
  });

  test.each([
    ['uses_left', '3', { maxVisits: 3, isActive: true, notes: [] }],
    ['Clicks remaining,hits', '"1,000",7', { maxVisits: 1007, isActive: true }],
    ['Visits left,clicks', '0,7', { maxVisits: 7, isActive: false, notes: NO_VISITS_LEFT }],
    ['uses_left', '0', { maxVisits: null, isActive: false, notes: NO_VISITS_LEFT }],
    ['remaining uses', '-1', { maxVisits: null, isActive: true, notes: [] }],
    ['uses_left', '', { maxVisits: null, isActive: true, notes: [] }],
    ['Hits left today', '4', { isActive: false }],
  ])('a column %s that says %s lets no more visitors in', async (name, cell, expected) => {
    expect((await readTable(name, cell)).link).toMatchObject(expected);
  });

  test('an expiry that cannot be read is an error, and never dropped', async () => {
    const { row } = await readTable('expires', 'next week');
    expect(row).toMatchObject({ issues: [{ field: 'expires' }] });
    expect(row?.link).toBeUndefined();
  });

  test('the reason is in the row, and the column is marked', async () => {
    const { row, columns } = await readTable('Geo-restricted', 'CH');
    expect(row?.issues).toMatchObject([
      { field: 'Geo-restricted', message: expect.stringContaining('"CH"') },
    ]);
    expect(columns[1]).toMatchObject({ field: null, notes: ['pauses'] });
  });

  test('of more than ten reasons, the others are counted', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `Geo-restricted ${index}`);
    const { row } = await readTable(names.join(), names.map(() => 'CH').join());
    const fields = row?.issues.map(({ field }) => field);
    expect(fields).toEqual([...names.slice(0, 10), null]);
    expect(row?.issues.at(-1)?.message).toBe('And 2 more.');
  });
});

describe('the alias', () => {
  test.each([
    ['short_url', 'docs', { alias: 'docs', domain: null }],
    ['short_url', 'https://go.example/docs', { alias: 'docs', domain: 'go.example' }],
    ['short_url', 'go.example/docs?x=1', { alias: 'docs', domain: 'go.example' }],
    ['alias', 'https://go.example/docs', { alias: 'docs', domain: 'go.example' }],
    ['alias', '/docs/', { alias: 'docs', domain: null }],
    ['short_url,domain', 'https://go.example/docs,', { alias: 'docs', domain: null }],
  ])('of %s %s', async (header, cells, expected) => {
    expect((await readTable(header, cells)).link).toMatchObject(expected);
  });

  test.each([
    ['789', '00789'],
    ['1.00E+08', '1E8'],
    ['"1,00E+08"', '1E8'],
    ['02. Jan', 'jan-2'],
  ])('%s of a spreadsheet is %s, as the short URL says', async (cell, alias) => {
    const file = `alias,shortUrl,originalUrl\n${cell},https://s.example/${alias},${URL_1}\n`;
    const { rows } = await readAll(file);
    expect(rows.map(toFlatLink)).toMatchObject([
      { alias, notes: [expect.stringContaining('as a spreadsheet writes it')] },
    ]);
  });

  test('another alias than in the short URL is kept, and said', async () => {
    const { rows } = await readAll(
      `alias,shortUrl,originalUrl\nnew,https://s.example/old,${URL_1}\n`,
    );
    expect(rows.map(toFlatLink)).toMatchObject([
      { alias: 'new', notes: [expect.stringContaining('The short URL says "old"')] },
    ]);
  });
});

test.each([
  ['2024-08-15 15:03:56', ['utc']],
  ['2024-08-15T15:03:56', ['utc']],
  ['2024-08-15T15:03:56-04:00', []],
  ['2024-08-15 15:03:56 +05:30', []],
  ['2024-08-15T15:03:56Z', []],
])('whether the time %s has a zone', async (cell, notes) => {
  expect((await readTable('created', cell)).columns[1]).toMatchObject({ notes });
});

describe('dates with slashes', () => {
  const file = (...dates: string[]) =>
    `url,created\n${dates.map((date) => `${URL_1},${date}`).join('\n')}\n`;

  test('are read as one of them says', async () => {
    const { about, rows } = await readAll(file('01/02/2026', '13/02/2026 10:30'));
    expect(about).toMatchObject({ dates: 'day', columns: [{}, { notes: ['date_order', 'utc'] }] });
    expect(rows[0]?.link?.created).toBe(Date.UTC(2026, 1, 1));
    const american = await readAll(file('01/02/2026', '2/13/2026 10:30 PM'));
    expect(american.about.dates).toBe('month');
    expect(american.rows[0]?.link?.created).toBe(Date.UTC(2026, 0, 2));
    expect(american.rows[1]?.link?.created).toBe(Date.UTC(2026, 1, 13, 22, 30));
  });

  test('are asked about if none says it, and the answer is used', async () => {
    const { about, rows } = await readAll(file('01/02/2026'));
    expect(about).toMatchObject({ dates: null, columns: [{}, { notes: ['date_order'] }] });
    expect(rows[0]?.issues).toMatchObject([
      { field: 'created', message: expect.stringContaining('ambiguous') },
    ]);
    const answered = await readAll(file('01/02/2026'), { dates: 'month' });
    expect(answered.rows[0]?.link?.created).toBe(Date.UTC(2026, 0, 2));
  });
});

test('all problems of a row are reported', async () => {
  const { rows } = await readAll(
    'url,clicks,expires,title\njavascript:alert(1),many,soon,Title\n',
    { mapping: { url: 'originalUrl' } },
  );
  expect(rows[0]?.issues.map(({ field }) => field)).toEqual(['expires', 'originalUrl']);
});
