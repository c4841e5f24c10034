import { expect, test } from 'vitest';
import { linkRecordSchema } from '../../../../shared/links/link-record.ts';
import { ADMINISTRATORS_FIELDS, PLAIN_NAMES } from '../../../../shared/links/plain-fields.ts';
import { CHOSEN_FIELDS } from '../../../../shared/links/transfer-formats.ts';

test('administrators do not see these fields of a link', () => {
  const shown: string[] = ADMINISTRATORS_FIELDS;
  expect(PLAIN_NAMES.filter((name) => !shown.includes(name))).toEqual(['label']);
});

test('people can choose each field for a column of an import, except these', () => {
  const chosen: readonly string[] = CHOSEN_FIELDS;
  expect(PLAIN_NAMES.filter((name) => !chosen.includes(name))).toEqual([
    'waitTimer',
    'forwardQuery',
    'hideUntilStart',
    'publicStats',
    'customGtmId',
  ]);
});

test('records of every server have these fields; a new one needs a default', () => {
  const fields = Object.entries(linkRecordSchema.shape);
  const needed = fields.filter(([, field]) => !field.safeParse(undefined).success);
  expect(needed.map(([name]) => name)).toEqual([
    ...['id', 'alias', 'shortUrl', 'originalUrl', 'customAlias', 'domain'],
    ...['rules', 'startsAt', 'goneUrl', 'card', 'hasPassword', 'manyWrongPasswords', 'isActive'],
    ...['status', 'expiresAt', 'hits', 'maxVisits', 'previousAliases'],
    ...['created', 'modified', 'version'],
  ]);
});
