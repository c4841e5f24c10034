import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { shortenRequestSchema } from '../../../../shared/links/shorten-request.ts';
import type { FormFields } from '../../../../shared/ui/link-form/form-fields.ts';
import { markFields } from '../../../../shared/ui/link-form/mark-fields.ts';
import { fieldOf, fieldsFor, toRequest } from '../../../../shared/ui/link-form/to-request.ts';
import { speak } from '../support/speak.ts';

const PAGE = 'https://example.com/page';
const NOW = Date.UTC(2029, 0);

beforeEach(() => speak('en'));

function form(fields: Partial<FormFields>): FormFields {
  return { ...fieldsFor(''), ...fields };
}

test('an empty form requests only the page', () => {
  expect(toRequest(PAGE, fieldsFor(''), NOW)).toEqual({ ok: true, request: { originalUrl: PAGE } });
});

test('every field of the form is a field of the request', () => {
  const fields = form({
    alias: ' docs ',
    password: ' with spaces ',
    expiryKind: 'custom',
    expiryAmount: '1.5',
    expiryUnit: 'hours',
    waitTimer: '10',
    customGtmId: 'GTM-ABC1234',
    title: 'A title',
    description: 'One line\nand another',
  });
  expect(toRequest(PAGE, fields, NOW)).toEqual({
    ok: true,
    request: {
      originalUrl: PAGE,
      customAlias: 'docs',
      password: ' with spaces ',
      expiresInHours: 1.5,
      waitTimer: 10,
      customGtmId: 'GTM-ABC1234',
      title: 'A title',
      description: 'One line\nand another',
    },
  });
});

test.each([
  ['1h', { expiresInHours: 1 }],
  ['1d', { expiresInDays: 1 }],
  ['7d', { expiresInDays: 7 }],
  ['30d', { expiresInDays: 30 }],
] as const)('the expiry %s is a duration of the request', (expiryKind, expiry) => {
  const request = { originalUrl: PAGE, ...expiry };
  expect(toRequest(PAGE, form({ expiryKind }), NOW)).toEqual({ ok: true, request });
});

test('a local date is sent in UTC', () => {
  const result = toRequest(
    PAGE,
    form({ expiryKind: 'custom', expiryDate: '2030-01-31T12:00' }),
    NOW,
  );
  expect(result.ok && result.request.expiresAt).toBe(new Date(2030, 0, 31, 12).toISOString());
});

test('text that has nothing but control characters is not sent', () => {
  const result = toRequest(PAGE, form({ title: '\u0000', description: '\u0000' }), NOW);
  expect(result).toEqual({ ok: true, request: { originalUrl: PAGE } });
});

test('hidden expiry values are not sent', () => {
  const result = toRequest(
    PAGE,
    form({ expiryKind: 'never', expiryDate: '2030-01-31T12:00', expiryAmount: '3' }),
    NOW,
  );
  expect(result).toEqual({ ok: true, request: { originalUrl: PAGE } });
});

test.each([
  [{ alias: 'no spaces' }, 'alias', 'Use only the letters A to Z, digits, - and _.'],
  [{ alias: 'é' }, 'alias', 'Use only the letters A to Z, digits, - and _.'],
  [
    { expiryKind: 'custom', expiryDate: '2028-12-31T00:00' },
    'expiryDate',
    'Choose a time in the future.',
  ],
  [{ expiryKind: 'custom' }, 'expiryAmount', 'Enter a duration or a date.'],
  [{ expiryKind: 'custom', expiryAmount: 'soon' }, 'expiryAmount', 'Enter a number.'],
  [{ expiryKind: 'custom', expiryAmount: '0' }, 'expiryAmount', 'Choose a time in the future.'],
  [{ waitTimer: 'a while' }, 'waitTimer', 'Enter 0 to 300 seconds.'],
  [{ waitTimer: '-1' }, 'waitTimer', 'Enter 0 to 300 seconds.'],
  [{ waitTimer: '300.5' }, 'waitTimer', 'Enter 0 to 300 seconds.'],
  [
    { customGtmId: 'gtm-abc1234' },
    'customGtmId',
    'Enter GTM- followed by 4 to 10 capital letters or digits.',
  ],
] as const)('%j is rejected with an issue at %s: %s', (fields, name, words) => {
  expect(toRequest(PAGE, form(fields), NOW)).toEqual({ ok: false, issues: { [name]: words } });
});

test('all issues are reported at once', () => {
  const fields = form({ alias: '!', waitTimer: '301', customGtmId: 'GTM-', expiryKind: 'custom' });
  const result = toRequest(PAGE, fields, NOW);
  expect(result.ok ? [] : Object.keys(result.issues).sort()).toEqual([
    'alias',
    'customGtmId',
    'expiryAmount',
    'waitTimer',
  ]);
});

test('the server’s schema accepts every request without issues', () => {
  const text = fc.string({ unit: 'binary', maxLength: 2100 });
  const word = fc.oneof(text, fc.stringMatching(/^[A-Za-z0-9_-]{0,70}$/));
  fc.assert(
    fc.property(
      fc.record(
        {
          alias: word,
          expiryKind: fc.constantFrom('never' as const, 'custom' as const),
          expiryAmount: fc.oneof(text, fc.double().map(String)),
          expiryUnit: fc.constantFrom('minutes' as const, 'hours' as const, 'days' as const),
          waitTimer: fc.oneof(text, fc.double({ min: -1, max: 301 }).map(String)),
          customGtmId: fc.oneof(text, fc.stringMatching(/^GTM-[A-Z0-9]{3,11}$/)),
          title: text,
          description: text,
        },
        { requiredKeys: [] },
      ),
      (fields) => {
        const result = toRequest(PAGE, form(fields), NOW);
        if (!result.ok) return;
        expect(shortenRequestSchema.safeParse(result.request).error?.issues ?? []).toEqual([]);
      },
    ),
    { numRuns: 500 },
  );
});

test('a page’s title is truncated: one line, 300 characters, no split emoji', () => {
  expect(fieldsFor('  Two\n lines\t and\u0007 more ').title).toBe('Two lines and more');
  expect([...fieldsFor('🙂'.repeat(400)).title]).toHaveLength(300);
});

describe('what the server rejects', () => {
  /** A form's text at its fields, and whether they show everything. */
  function mark(paths: string[], fields: Partial<FormFields>, code = 'invalid_request') {
    const failure = { code, issues: paths.map((path) => ({ path })) };
    const marked = markFields(failure, (path) => fieldOf(path, form(fields)));
    return [marked.issues, marked.failure.isMarked];
  }

  test('is shown at its fields in the user’s language', () => {
    speak('de');
    const words = 'Der Server akzeptiert diesen Wert nicht. Ändere ihn oder lass das Feld leer.';
    const paths = ['customAlias', 'expiresInDays', 'waitTimer'];
    const custom = { expiryKind: 'custom', expiryAmount: '3' } as const;
    const all = { alias: words, expiryAmount: words, waitTimer: words };
    expect(mark(paths, custom)).toEqual([all, true]);
    const dated = { expiryKind: 'custom', expiryDate: '2030-01-31T12:00' } as const;
    expect(mark(['expiresAt'], dated)).toEqual([{ expiryDate: words }, true]);
  });

  test('is not said to be at its fields if a part has none', () => {
    expect(mark(['customAlias', 'originalUrl'], {})[1]).toBe(false);
    expect(mark([''], {})).toEqual([{}, false]);
    expect(mark([], {})).toEqual([{}, false]);
    // Neither a duration nor a date is shown then.
    expect(mark(['expiresInDays'], { expiryKind: '7d' })).toEqual([{}, false]);
  });

  test('has a text of its own for a taken alias and a time in the past', () => {
    expect(mark([], {}, 'alias_taken')).toEqual([{ alias: 'This alias is taken' }, true]);
    const custom = { expiryKind: 'custom', expiryDate: '2020-01-31T12:00' } as const;
    expect(mark(['expiresAt'], custom, 'expires_in_past')).toEqual([
      { expiryDate: 'Choose a time in the future.' },
      true,
    ]);
  });
});
