import fc from 'fast-check';

/** Texts that programs stumble over, as names, numbers, times, patterns or SQL. */
const TROUBLESOME = [
  ...['', ' ', '\0', 'a\0b', '\ud800', '\udfff\ud800', '\u202e', '\r\n', 'İ', 'ﬀ', '𝒳'],
  ...['constructor', '__proto__', 'toString', 'valueOf', 'hasOwnProperty', 'prototype'],
  ...['%', '%00', '%ff', '../..', '\\', '"', `' OR 1=1 --`, '$1', '{}', '[]', '*', '+', '(('],
  ...['0', '-0', '-1', '1.5', '1e308', '1e400', '100', '99999999999999999999', 'NaN', 'Infinity'],
  ...['true', 'null', 'undefined', 'all', 'last', 'delete', 'json', 'csv', 'deleted', 'hour'],
  ...['2026-11-20', '0000-01-01', '9999-12-31T23:59:59Z', '2026-11-20T12:00:00.123+14:00'],
  ...['Europe/Berlin', 'https://example.com/', 'http://[::1', 'example.com', 'javascript:alert(1)'],
  ...[
    '0f8fad5b-d9cb-469f-a165-70867728950e',
    'W/"a"',
    '"1"',
    'a'.repeat(65),
    'a'.repeat(9000),
    '{"a":1}',
  ],
];

export const anyText = fc.oneof(
  fc.constantFrom(...TROUBLESOME),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.string({ maxLength: 20 }),
);

const anyNumber = fc.oneof(
  fc.constantFrom(0, -1, 1.5, 1e308, 2 ** 53, Number.MAX_SAFE_INTEGER, 8.64e15, -8.65e15),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.nat(400),
);

/** Keys such as `__proto__` are properties of their own, as in parsed JSON. */
export const anyJson: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    anyText,
    anyNumber,
    fc.constantFrom(null, true, false),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(anyText, tie('value'), { maxKeys: 3 }),
  ),
})).value;

/** What a client may take for `nextCursor`: any text, or one that decodes to something. */
export const anyCursor = fc
  .oneof(
    anyText,
    anyNumber.map(String),
    anyJson.map((value) => JSON.stringify(value)),
    fc.tuple(anyNumber, fc.oneof(anyText, anyJson)).map((pair) => JSON.stringify(pair)),
    fc.tuple(fc.nat(), anyText).map((pair) => pair.join(' ')),
    fc
      .tuple(anyNumber, anyText, fc.oneof(anyText, anyNumber))
      .map((position) => JSON.stringify(['alias', position, null])),
  )
  .map((text) => Buffer.from(text).toString('base64url'));

/** JSON like an example, with some of its fields replaced or added. */
export function anyJsonLike(
  example: unknown,
  fields: string[],
  known: fc.Arbitrary<string>,
): fc.Arbitrary<unknown> {
  if (typeof example !== 'object' || example === null) return fc.oneof(anyJson, known);
  if (Array.isArray(example)) {
    const changes = example.map((entry, index) =>
      anyJsonLike(entry, fields, known).map((changed) => example.with(index, changed)),
    );
    return fc.oneof(anyJson, ...changes);
  }
  const field = fc.oneof(fc.constantFrom('title', ...fields, ...Object.keys(example)), anyText);
  const changes = fc.array(fc.tuple(field, fc.oneof(anyJson, anyText, known)), { maxLength: 2 });
  return changes.map((changed) => Object.fromEntries([...Object.entries(example), ...changed]));
}
