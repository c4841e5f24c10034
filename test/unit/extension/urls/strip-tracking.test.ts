import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stripTracking } from '../../../../shared/links/strip-tracking.ts';

describe('tracking parameters are removed', () => {
  test.each([
    ['https://example.com/?utm_source=a&utm_medium=b', 'https://example.com/'],
    ['https://example.com/a?utm_source=a#part', 'https://example.com/a#part'],
    ['https://example.com/?id=7&fbclid=x&page=2', 'https://example.com/?id=7&page=2'],
    ['https://example.com/?GCLID=x&q=a+b%20c', 'https://example.com/?q=a+b%20c'],
    ['https://example.com/?utm%5Fsource=x&q=1', 'https://example.com/?q=1'],
    ['https://example.com/?fbclid', 'https://example.com/'],
    ['https://example.com/?q=1&&mc_eid=x', 'https://example.com/?q=1&'],
    ['https://www.youtube.com/watch?v=abc&si=xyz&t=42', 'https://www.youtube.com/watch?v=abc&t=42'],
    ['https://youtu.be/abc?si=xyz', 'https://youtu.be/abc'],
    ['https://x.com/a/status/1?s=20&t=abc', 'https://x.com/a/status/1'],
    ['https://twitter.com/a?ref_src=twsrc%5Etfw', 'https://twitter.com/a'],
    ['https://example.com/?pk_campaign=x&mtm_kwd=y&oly_enc_id=z', 'https://example.com/'],
    ['http://localhost:8080/?utm_id=1&x', 'http://localhost:8080/?x'],
  ])('%s becomes %s', (url, expected) => {
    expect(stripTracking(url).url).toBe(expected);
  });

  test('and returned as written', () => {
    expect(stripTracking('https://example.com/?UTM_Source=a&q=1&fbclid=b').names).toEqual([
      'UTM_Source',
      'fbclid',
    ]);
  });
});

describe('a URL stays unchanged', () => {
  test.each([
    'https://example.com/',
    'https://example.com/?',
    'https://example.com/?&a',
    'https://example.com/?ref=home&source=menu&campaign=3&cid=4',
    'https://example.com/?si=3&s=20&t=5&feature=x',
    'https://notyoutube.com/?si=3',
    'https://example.com/?pk_id=3',
    'https://example.com/?utm_=1',
    'https://example.com/utm_source=x',
    'https://example.com/#utm_source=x',
    'https://example.com/#/route?utm_source=x',
    'https://example.com/?to=https%3A%2F%2Fother.example%2F%3Futm_source%3Dx',
    'https://example.com/?Q=%E4%F6&x=%zz&y=a+b',
    'https://example.com/unsubscribe?mkt_tok=x',
    // Signed URLs must not change.
    'https://bucket.s3.amazonaws.com/a?utm_source=x&X-Amz-Signature=abc',
    'https://example.com/a?sig=abc&utm_source=x',
    'not a URL?utm_source=x',
  ])('%s', (url) => {
    expect(stripTracking(url)).toEqual({ url, names: [] });
  });
});

const TRACKERS = ['utm_source', 'utm_term', 'fbclid', 'gclid', 'msclkid', 'mc_eid', 'yclid'];
const tracker = fc
  .tuple(fc.constantFrom(...TRACKERS), fc.stringMatching(/^[\w%.+=-]{0,12}$/))
  .map(([name, value]) => `${name}=${value}`);
/** Any bytes that a query may contain. The leading letter prevents the name of a tracking parameter. */
const other = fc
  .stringMatching(/^[ad-f][\w%.+=/:?@!$'()*,;~-]{0,20}$/)
  .filter((part) => !TRACKERS.some((name) => part.startsWith(name)) && !part.startsWith('epik'));
const path = fc.stringMatching(/^\/[\w%.~/-]{0,20}$/).filter((text) => !/opt-?out/i.test(text));
const fragment = fc.stringMatching(/^(#[\w%.~/?&=:-]{0,20})?$/);
const parts = fc.array(
  fc.oneof(
    tracker.map((text) => ({ text, isTracker: true })),
    other.map((text) => ({ text, isTracker: false })),
  ),
  { maxLength: 8 },
);

const withTrackers = fc
  .tuple(path, parts, fragment)
  .map(
    ([path, parts, hash]) =>
      `https://example.com${path}${written(parts.map(({ text }) => text))}${hash}`,
  );

const written = (texts: string[]) => (texts.length > 0 ? `?${texts.join('&')}` : '');

describe('for any URL', () => {
  test('only the tracking parameters are removed, and every other byte stays', () => {
    fc.assert(
      fc.property(path, parts, fragment, (path, parts, fragment) => {
        const all = parts.map(({ text }) => text);
        const remaining = parts.filter(({ isTracker }) => !isTracker).map(({ text }) => text);
        const url = `https://example.com${path}${written(all)}${fragment}`;
        const cleaned = stripTracking(url);
        expect(cleaned.url).toBe(`https://example.com${path}${written(remaining)}${fragment}`);
        expect(cleaned.names).toHaveLength(all.length - remaining.length);
      }),
    );
  });

  test('removing them again changes nothing', () => {
    fc.assert(
      fc.property(fc.oneof(withTrackers, fc.string()), (url) => {
        const once = stripTracking(url).url;
        expect(stripTracking(once)).toEqual({ url: once, names: [] });
      }),
    );
  });

  test('the result is a URL of the same page', () => {
    fc.assert(
      fc.property(fc.webUrl({ withFragments: true }), parts, (page, parts) => {
        const [base = '', hash = ''] = page.split('#');
        const url = `${base}${written(parts.map(({ text }) => text))}${hash && `#${hash}`}`;
        const before = new URL(url);
        const after = new URL(stripTracking(url).url);
        expect([after.origin, after.pathname, after.hash]).toEqual([
          before.origin,
          before.pathname,
          before.hash,
        ]);
      }),
    );
  });
});
