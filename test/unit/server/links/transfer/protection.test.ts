import { expect, test } from 'vitest';
import { FORMATS, normalizeName } from '../../../../../server/links/transfer/meaning/formats.ts';
import { readAll } from './support.ts';

const TARGET = 'https://long.example/page';
const CELLS = new Map([
  ['originalUrl', TARGET],
  ['shortUrl', 'https://s.example/abc'],
  ['alias', 'abc'],
]);

const PROTECTED = {
  paused: 'true',
  isDisabled: true,
  disabledAt: '2024-01-01T00:00:00Z',
  enabled: false,
  isActive: '0',
  state: 'expired',
  password: 'hunter2',
  hasPassword: true,
  password_protected: '1',
  'security.password': 'x',
  expires_at: '2020-01-01T00:00:00Z',
  expiration: 1_577_836_800,
  'Expiry date': '2020-01-01',
  expired: 'yes',
  maxVisits: 5,
  max_clicks: '5',
  clicksLimit: 5,
  startsAt: '2030-01-01T00:00:00Z',
  valid_from: '2030-01-01',
  scheduledAt: '2030-01-01',
  suspended: '1',
  banned: 't',
  deletedAt: '2024-01-01',
};

/** The columns by which a format is detected, with a value in each that needs one. */
const files = Object.entries(FORMATS)
  .filter(([source]) => source !== 'bookmarks')
  .flatMap(([source, { signs, fields }]) => {
    const known = new Map(Object.entries(fields).map(([name, to]) => [normalizeName(name), to]));
    return signs.map((names) => {
      const row = names.map((name) => {
        const field = known.get(normalizeName(name)) ?? name;
        return [name, CELLS.get(field) ?? ''] as const;
      });
      const hasTarget = row.some(([, cell]) => cell === TARGET);
      return [
        source,
        Object.fromEntries(hasTarget ? row : [...row, ['long_url', TARGET]]),
      ] as const;
    });
  });

test.each(files)('%s with %j: no column that protects a link is lost', async (source, row) => {
  const plain = await readAll(JSON.stringify([row]));
  expect(plain.about.source).toBe(source);
  expect(plain.rows).toMatchObject([{ link: { isActive: true } }]);
  const open: string[] = [];
  for (const [name, value] of Object.entries(PROTECTED)) {
    const whole = { ...row, [name]: value };
    const table = [Object.keys(whole), Object.values(whole)].map((cells) => cells.join(','));
    for (const file of [JSON.stringify([whole]), `${table.join('\n')}\n`]) {
      const { rows } = await readAll(file);
      const link = rows[0]?.link;
      const isProtected = !link?.isActive || link.expiresAt || link.maxVisits || link.startsAt;
      if (!isProtected) open.push(file);
    }
  }
  expect(open).toEqual([]);
});
