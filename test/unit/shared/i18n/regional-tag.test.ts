import { expect, test } from 'vitest';
import { preferredRegion, regionalTag } from '../../../../shared/i18n/regional-tag.ts';

test.each([
  ['en', ['en-GB', 'en'], 'en-GB'],
  ['en', ['en-AU', 'en-US', 'en'], 'en-AU'],
  ['en', ['sv'], 'en-SE'],
  ['en', ['sv-FI', 'sv'], 'en-FI'],
  ['en', ['sv-SE', 'sv', 'en-GB'], 'en-GB'],
  ['en', ['en', 'en-GB'], 'en'],
  ['de', ['de-AT', 'en-US'], 'de-AT'],
  ['de', ['en-GB', 'de-CH'], 'de-CH'],
  ['en', [], 'en'],
  ['en', ['*', 'not a tag', 'en-GB'], 'en-GB'],
  ['en', ['en-US@posix', 'en-GB'], 'en-GB'],
  ['en', ['C'], 'en'],
  ['ar', ['ar-MA-u-nu-arab-ca-islamic'], 'ar-MA'],
  // Their own digits would be beside those of the texts.
  ['ar', ['ar-EG'], 'ar-EG-u-nu-latn'],
])('texts in %s for a browser with %j have the formats of %s', (language, preferred, tag) => {
  expect(regionalTag(language, preferred)).toBe(tag);
});

test.each([
  [['sv', 'en-GB'], 'SE'],
  [['en-US@posix', 'de-AT'], 'AT'],
  [['C'], undefined],
  [[], undefined],
])('the country of a browser with %j is %s', (preferred, country) => {
  expect(preferredRegion(preferred)).toBe(country);
});

test('dates of the tag are those of its country', () => {
  const format = (preferred: string[]) =>
    new Intl.DateTimeFormat(regionalTag('en', preferred), {
      dateStyle: 'long',
      timeStyle: 'short',
      timeZone: 'UTC',
    }).format(Date.UTC(2026, 10, 26, 11, 4));
  expect(format(['en-GB'])).toBe('26 November 2026 at 11:04');
  expect(format(['en-AU'])).toMatch(/^26 November 2026 at 11:04/);
  expect(format(['sv'])).toBe('26 November 2026 at 11:04');
  expect(format(['en-US'])).toMatch(/^November 26, 2026 at 11:04\sAM$/);
});
