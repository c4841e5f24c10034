import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { shortenRequestSchema } from '../../../../shared/links/shorten-request.ts';
import { trimText } from '../../../../shared/text.ts';

const originalUrl = 'https://example.com/';
const read = (fields: object) => shortenRequestSchema.safeParse({ originalUrl, ...fields });
const accepts = (fields: object) => read(fields).success;
/** The invalid fields. */
const faults = (fields: object) =>
  read(fields).error?.issues.map((issue) => issue.path.join('.')) ?? [];

describe('a request', () => {
  test('requires only originalUrl', () => {
    expect(shortenRequestSchema.parse({ originalUrl })).toEqual({
      originalUrl: { text: originalUrl, url: new URL(originalUrl) },
    });
    expect(shortenRequestSchema.safeParse({}).success).toBe(false);
  });

  test('has its originalUrl trimmed and with a protocol', () => {
    const request = shortenRequestSchema.parse({ originalUrl: ' example.com/ ' });
    expect(request.originalUrl.text).toBe(originalUrl);
  });

  test.each([
    ['EN', 'en'],
    ['zh-hant-tw', 'zh-Hant-TW'],
    ['de-1996', 'de-1996'],
    ['de-DE-u-co-phonebk', 'de-DE'],
    ['ar-MA-u-nu-arab-ca-islamic-x-own', 'ar-MA'],
  ])('has the language %s of a rule as %s, which has a name to show', (sent, language) => {
    const { rules } = shortenRequestSchema.parse({
      originalUrl,
      rules: [{ language: sent, originalUrl }],
    });
    expect(rules).toMatchObject([{ language }]);
    const names = new Intl.DisplayNames('en', { type: 'language' });
    expect(() => names.of(rules?.[0]?.language ?? '')).not.toThrow();
  });

  test.each(['e', 'en_US', '*', 'i-klingon', 'x-private', 'root'])(
    'has no rule for %s, which is no language tag',
    (language) => {
      expect(faults({ rules: [{ language, originalUrl }] })).toEqual(['rules.0.language']);
    },
  );

  test.each([null, [], 'https://example.com', 7, true])('is an object, not %j', (body) => {
    expect(shortenRequestSchema.safeParse(body).success).toBe(false);
  });

  test('with an invalid originalUrl fails with invalid_url and an explanation', () => {
    expect(read({ originalUrl: 'javascript:alert(1)' }).error?.issues).toMatchObject([
      {
        path: ['originalUrl'],
        message: expect.stringContaining('javascript:'),
        params: { errorCode: 'invalid_url' },
      },
    ]);
  });

  test('with unknown fields fails with their names', () => {
    const names = fc
      .string({ minLength: 1 })
      .filter((name) => !(name in shortenRequestSchema.shape) && name !== '__proto__');
    fc.assert(
      fc.property(names, fc.jsonValue(), (name, value) => {
        expect(read({ [name]: value }).error?.issues).toMatchObject([
          { code: 'unrecognized_keys', keys: [name] },
        ]);
      }),
    );
    expect(read({ expiresIndays: 7, Title: 'x' }).error?.issues).toMatchObject([
      { code: 'unrecognized_keys', keys: ['expiresIndays', 'Title'] },
    ]);
  });

  test('can have null only where a record has it for what protects nothing', () => {
    const nullable = ['description', 'customGtmId', 'goneUrl', 'card'];
    for (const field of Object.keys(shortenRequestSchema.shape)) {
      expect(faults({ [field]: null }), field).toEqual(nullable.includes(field) ? [] : [field]);
    }
  });
});

describe('customAlias', () => {
  test('can have 1 to 64 of A–Z a–z 0–9 - _ and is not changed', () => {
    const allowed = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const unit = fc.constantFrom(...allowed);
    fc.assert(
      fc.property(fc.string({ unit, minLength: 1, maxLength: 64 }), (customAlias) => {
        expect(read({ customAlias }).data?.customAlias).toBe(customAlias);
      }),
    );
  });

  test('cannot have other characters in any position', () => {
    const other = fc.string({ unit: 'binary', minLength: 1, maxLength: 1 });
    fc.assert(
      fc.property(
        fc.stringMatching(/^[\w-]{1,20}$/),
        other.filter((character) => !/[A-Za-z0-9_-]/.test(character)),
        fc.stringMatching(/^[\w-]{1,20}$/),
        (before, character, after) => {
          expect(faults({ customAlias: before + character + after })).toEqual(['customAlias']);
        },
      ),
    );
    const ascii = [...Array(128).keys()].map((code) => String.fromCharCode(code));
    const rejected = ascii.filter((character) => !accepts({ customAlias: `a${character}b` }));
    expect(rejected).toEqual(ascii.filter((character) => !/[A-Za-z0-9_-]/.test(character)));
    for (const customAlias of ['\0a', 'é', 'ａ', 'ſ', '\u212a', '٣', '😀']) {
      expect(faults({ customAlias }), customAlias).toEqual(['customAlias']);
    }
  });

  test('is none if it is empty', () => {
    expect(read({ customAlias: '' }).data).toHaveProperty('customAlias', undefined);
  });

  test('cannot be longer than 64 characters', () => {
    expect(accepts({ customAlias: 'x'.repeat(64) })).toBe(true);
    expect(faults({ customAlias: 'x'.repeat(65) })).toEqual(['customAlias']);
  });
});

describe('text', () => {
  test.each([
    ['password', 1, 128],
    ['title', 0, 300],
    ['description', 0, 2000],
  ])('in %s can have %i to %i characters, and an emoji counts as one', (field, min, max) => {
    for (const character of ['x', 'é', '語', '😀']) {
      expect(faults({ [field]: character.repeat(max) }), character).toEqual([]);
      expect(faults({ [field]: character.repeat(max + 1) }), character).toEqual([field]);
    }
    expect(accepts({ [field]: '' })).toBe(min === 0);
  });

  test.each([
    ['password', (value: string) => value],
    ['title', trimText],
    ['description', trimText],
  ])('in %s is not changed but at the ends, which a password keeps', (field, kept) => {
    const unit = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 });
    fc.assert(
      fc.property(fc.string({ unit, minLength: 1, maxLength: 40 }), (value) => {
        expect(read({ [field]: value }).data).toMatchObject({ [field]: kept(value) });
      }),
    );
    const spaced = '  two  words ';
    expect(read({ [field]: spaced }).data).toMatchObject({ [field]: kept(spaced) });
  });

  test.each(['title', 'description'])('in %s cannot have half a character', (field) => {
    for (const half of ['\ud800', '\udc00']) {
      expect(faults({ [field]: `half ${half}` })).toEqual([field]);
    }
  });

  test('in the title cannot have control characters or line breaks', () => {
    for (const control of ['\0', '\t', '\n', '\r', '\x1b', '\x7f', '\x85', '\x9f']) {
      expect(faults({ title: `a${control}b` }), JSON.stringify(control)).toEqual(['title']);
    }
  });

  test('in the password cannot have line breaks, which forms cannot send', () => {
    for (const lineBreak of ['\n', '\r', '\r\n']) {
      for (const password of [`a${lineBreak}b`, `a${lineBreak}`, `${lineBreak}a`, lineBreak]) {
        expect(faults({ password }), JSON.stringify(password)).toEqual(['password']);
      }
    }
    expect(accepts({ password: 'a\tb\u2028c' })).toBe(true);
  });

  test('in the description cannot have control characters other than line breaks', () => {
    expect(accepts({ description: 'one\ntwo\r\nthree' })).toBe(true);
    for (const control of ['\0', '\t', '\x1b', '\x7f', '\x85', '\x9f']) {
      const description = `a\n${control}b`;
      expect(faults({ description }), JSON.stringify(control)).toEqual(['description']);
    }
  });
});

describe('tags', () => {
  const tagsOf = (...tags: unknown[]) => read({ tags }).data?.tags;

  test('are trimmed, and lose duplicates in any letter case, of which the first is kept', () => {
    expect(tagsOf(' News ', 'été', 'news', 'ÉTÉ', 'a b')).toEqual(['News', 'été', 'a b']);
    expect(tagsOf()).toEqual([]);
  });

  test('can have 1 to 40 characters, and an emoji counts as one', () => {
    for (const character of ['x', '語', '😀']) {
      expect(faults({ tags: [` ${character.repeat(40)} `] }), character).toEqual([]);
      expect(faults({ tags: ['a', character.repeat(41)] }), character).toEqual(['tags.1']);
    }
    expect(faults({ tags: ['', '  '] })).toEqual(['tags.0', 'tags.1']);
  });

  test('cannot have control characters or half a character', () => {
    expect(faults({ tags: ['a\nb', 'a\0b', '\ud800'] })).toEqual(['tags.0', 'tags.1', 'tags.2']);
  });

  test('can be at most 10, all of them strings', () => {
    const tags = Array.from({ length: 11 }, (_, index) => `tag ${index}`);
    expect(accepts({ tags: tags.slice(1) })).toBe(true);
    expect(faults({ tags })).toEqual(['tags']);
    expect(faults({ tags: 'news' })).toEqual(['tags']);
    expect(faults({ tags: [1] })).toEqual(['tags.0']);
  });
});

describe('maxVisits', () => {
  test('can be any whole number from 1', () => {
    for (const maxVisits of [1, 10, 1e9]) expect(accepts({ maxVisits })).toBe(true);
    for (const maxVisits of [0, -1, 1.5, '5', 1e300]) {
      expect(faults({ maxVisits }), String(maxVisits)).toEqual(['maxVisits']);
    }
  });
});

describe('the expiry', () => {
  const fields = {
    expiresAt: '2030-01-31T12:00:00Z',
    expiresInMinutes: 5,
    expiresInHours: 0.5,
    expiresInDays: 7,
  };
  const names = Object.keys(fields) as (keyof typeof fields)[];
  const pairs = names.flatMap((first, index) =>
    names.slice(index + 1).map((second) => [first, second] as const),
  );

  test.each(names)('can be sent as %s', (name) => {
    expect(read({ [name]: fields[name] }).data).toMatchObject({ [name]: fields[name] });
  });

  test.each(pairs)(
    'sent as both %s and %s is conflicting_expiry and names both',
    (first, second) => {
      expect(
        read({ [second]: fields[second], [first]: fields[first] }).error?.issues,
      ).toMatchObject([
        {
          path: [second],
          message: expect.stringMatching(`${first}.*${second}`),
          params: { errorCode: 'conflicting_expiry' },
        },
      ]);
    },
  );

  test('sent in all four ways is one conflicting_expiry', () => {
    expect(read(fields).error?.issues).toMatchObject([
      { params: { errorCode: 'conflicting_expiry' } },
    ]);
  });

  test.each([
    '2030-01-31T12:00:00Z',
    '2030-01-31T12:00:00.5Z',
    '2030-01-31T12:00Z',
    '2030-01-31T12:00+02:00',
    '2030-01-31T12:00:00+02:00',
    '2030-01-31T12:00:00.123456-11:30',
    '2028-02-29T00:00:00Z',
  ])('as expiresAt can be an ISO 8601 time with an offset or Z: %s', (expiresAt) => {
    expect(accepts({ expiresAt })).toBe(true);
  });

  test.each([
    '2030-01-31T12:00:00',
    '2030-01-31',
    '12:00',
    '2030-02-30T12:00:00Z',
    '2027-02-29T00:00:00Z',
    '2030-13-01T00:00:00Z',
    '2030-01-31T24:00:00Z',
    '31.01.2030 12:00 Z',
    '2030-01-31T12:60:00Z',
    '2030-01-31T12:00:00+24:00',
    '1917950400000',
    'Thu, 31 Jan 2030 12:00:00 GMT',
    'tomorrow',
    '',
  ])('as expiresAt cannot be %j', (expiresAt) => {
    expect(read({ expiresAt }).error?.issues).toMatchObject([
      {
        path: ['expiresAt'],
        message: expect.stringMatching(/^Must be an existing date and time with an off/),
      },
    ]);
  });

  test('as expiresAt can be parsed as a date if it is accepted', () => {
    const near = fc.stringMatching(
      /^\d{4}-[01]\d-[0-3]\dT[0-2]\d:[0-6]\d:[0-6]\d(\.\d{1,12})?(Z|[+-][0-2]\d:[0-6]\d)$/,
    );
    const accepted = near.filter((expiresAt) => accepts({ expiresAt }));
    fc.assert(
      fc.property(accepted, (expiresAt) => {
        expect(Date.parse(expiresAt)).not.toBeNaN();
      }),
    );
  });

  test.each(names.slice(1))('as %s is a number greater than 0, possibly fractional', (name) => {
    const above = fc.double({ min: 0, minExcluded: true, max: 1e9, noNaN: true });
    fc.assert(fc.property(above, (value) => accepts({ [name]: value })));
    for (const value of [0, -0, -1, -1e-9, Number.NaN, Number.POSITIVE_INFINITY, '5', [5]]) {
      expect(faults({ [name]: value }), String(value)).toEqual([name]);
    }
  });
});

describe('waitTimer', () => {
  test('is 0 to 300 seconds, inclusive', () => {
    const within = fc.double({ min: 0, max: 300, noNaN: true });
    fc.assert(fc.property(within, (waitTimer) => accepts({ waitTimer })));
    for (const waitTimer of [0, 1, 300]) expect(accepts({ waitTimer })).toBe(true);
    for (const waitTimer of [-1, -0.001, 300.001, 301, Number.NaN, '5', true]) {
      expect(faults({ waitTimer }), String(waitTimer)).toEqual(['waitTimer']);
    }
  });
});

describe('customGtmId', () => {
  test('is GTM- followed by 4 to 10 of A–Z 0–9', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Z0-9]{4,10}$/), (id) =>
        accepts({ customGtmId: `GTM-${id}` }),
      ),
    );
  });

  test.each([
    'GTM-ABC',
    'GTM-ABCDE123456',
    'GTM-abcd123',
    'gtm-ABC1234',
    'GTM_ABC1234',
    'ABC1234',
    'GTM-ABC\n1234',
    'GTM-ABC12É4',
    'GTM-ABC1234&x=y',
    '',
  ])('cannot be %j', (customGtmId) => {
    expect(faults({ customGtmId })).toEqual(['customGtmId']);
  });
});

describe('generateQR', () => {
  test('is true or false', () => {
    expect(accepts({ generateQR: true })).toBe(true);
    expect(accepts({ generateQR: false })).toBe(true);
    for (const generateQR of ['true', 1, 0, '']) {
      expect(faults({ generateQR }), JSON.stringify(generateQR)).toEqual(['generateQR']);
    }
  });
});

describe('the API reference', () => {
  test('has a description of every field', () => {
    const { $defs } = z.toJSONSchema(shortenRequestSchema, { io: 'input' });
    const { properties = {}, required } = $defs?.NewLink ?? {};
    expect(Object.keys(properties)).toEqual(Object.keys(shortenRequestSchema.shape));
    expect(required).toEqual(['originalUrl']);
    for (const [field, schema] of Object.entries(properties)) {
      expect(schema, field).toHaveProperty('description', expect.stringMatching(/\w.*\.$/s));
    }
  });
});
