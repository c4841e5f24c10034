import { describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { parseInput, parseQuery } from '../../../../server/lib/parse-input.ts';
import { ServiceError } from '../../../../server/lib/service-error.ts';
import { newAccountRequestSchema } from '../../../../shared/admin/accounts.ts';
import { bulkChangeSchema, bulkQuerySchema } from '../../../../shared/links/bulk.ts';
import { editRequestSchema } from '../../../../shared/links/edit-request.ts';
import { linkListQuerySchema } from '../../../../shared/links/link-list.ts';
import { shortenRequestSchema } from '../../../../shared/links/shorten-request.ts';
import { exportQuerySchema, importQuerySchema } from '../../../../shared/links/transfer.ts';
import { flag, selecting } from '../../../../shared/schemas.ts';
import { statisticsQuerySchema } from '../../../../shared/statistics.ts';

const VALUES = [
  ...[null, true, 0, -1, 1.5, 1e300, Number.NaN, Number.POSITIVE_INFINITY, 10n],
  ...['', ' ', 'x', 'x'.repeat(9000), '\0', '\ud800', '2030-13-45', 'https://', 'javascript:x'],
  ...[[], [null], [1], [[]], [{}], ['x'.repeat(99)], Array.from({ length: 500 }, () => 'x')],
  ...[{}, { title: 1 }, { name: '' }, [{ device: 'x', originalUrl: 'y' }], [{ share: 1.5 }]],
];

test('no message of the schema library reaches a client', () => {
  const { localeError } = z.config();
  onTestFinished(() => {
    z.config(localeError ? { localeError } : {});
  });
  z.config({ localeError: () => 'of the library' });
  const messages = new Set<string>();
  const schemas = [
    ...[shortenRequestSchema, editRequestSchema, bulkChangeSchema, newAccountRequestSchema],
    ...[linkListQuerySchema, bulkQuerySchema, statisticsQuerySchema],
    ...[exportQuerySchema, importQuerySchema],
  ];
  for (const schema of schemas) {
    for (const field of Object.keys(schema.shape)) {
      for (const value of VALUES) {
        for (const input of [value, { [field]: value }]) {
          try {
            parseInput(schema as z.ZodType, input);
          } catch (error) {
            if (!(error instanceof ServiceError)) throw error;
            messages.add(error.message);
          }
        }
      }
    }
  }
  expect(messages.size).toBeGreaterThan(50);
  expect([...messages].filter((message) => message.includes('of the library'))).toEqual([]);
});

describe('a query', () => {
  const schema = z.strictObject({
    a: selecting(z.unknown().optional()),
    b: z.string().optional(),
    dryRun: flag('Changes nothing.'),
  });

  test.each([
    [{}, {}],
    [{ a: '' }, {}],
    [{ a: ['', ''] }, {}],
    [{ a: ['', '1'] }, { a: '1' }],
    [{ a: ['1', '2', ''] }, { a: ['1', '2'] }],
    [{ a: ' ' }, { a: ' ' }],
    [{ b: '' }, { b: '' }],
    [{ dryRun: '' }, { dryRun: true }],
    [{ dryRun: '1' }, { dryRun: true }],
    [{ dryRun: 'false' }, { dryRun: false }],
    [{ dryRun: '0' }, { dryRun: false }],
  ])('loses empty parameters only if they select something: %o', (query, parsed) => {
    expect(parseQuery(schema, query)).toEqual({ dryRun: false, ...parsed });
  });

  test.each([
    [{ dryRun: 'yes' }, 'dryRun'],
    [{ dryRun: ['', 'false'] }, 'dryRun'],
    [{ c: '' }, 'c'],
    [{ constructor: '' }, 'constructor'],
    [JSON.parse('{ "__proto__": "" }'), '__proto__'],
  ])('is refused with the name of what is wrong: %o', (query, path) => {
    expect(() => parseQuery(schema, query)).toThrow(
      expect.objectContaining({ details: { issues: [expect.objectContaining({ path })] } }),
    );
  });
});
