import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromLinkJson, type Link } from '../../../server/store/link.ts';
import type { LinkPageQuery } from '../../../server/store/link-calls.ts';
import { linkFilter } from '../../../server/store/lists/link-filter.ts';
import { newLink } from '../contract.ts';

const text = fc.string({ unit: 'grapheme', maxLength: 40 });
const link: fc.Arbitrary<Link> = fc
  .record({
    alias: fc.stringMatching(/^[A-Za-z0-9_-]{1,10}$/),
    previousAliases: fc.array(fc.stringMatching(/^[A-Za-z0-9_-]{1,10}$/), { maxLength: 2 }),
    title: fc.oneof(text, fc.constantFrom('ΟΔΟΣ ΟΔΟΣΑ', 'İstanbul', '"\\"\n', '東京')),
    originalUrl: fc.webUrl({ withQueryParameters: true }),
    tags: fc.array(text, { maxLength: 3 }),
  })
  .map((fields) => fromLinkJson('link-1', { ...newLink('').link, ...fields }));

function queryOf(conditions: Partial<LinkPageQuery>): LinkPageQuery {
  return { accountId: '', limit: 1, after: null, search: null, tag: null, ...conditions };
}

/** A part of one of the link's texts, from one whole character to another, in another case. */
function partOf(link: Link, field: number, from: number, length: number, upper: boolean): string {
  const texts = [link.alias, ...link.previousAliases, link.title, link.originalUrl, ...link.tags];
  const characters = [...(texts[field % texts.length] ?? '')];
  const start = from % (characters.length + 1);
  const part = characters.slice(start, start + length).join('');
  // Upper case is not always reversible: "ß" becomes "SS".
  const changed = upper ? part.toUpperCase() : part;
  return changed.toLowerCase() === part.toLowerCase() ? changed : part;
}

describe('a filter', () => {
  test('passes a link for each part of its texts', () => {
    fc.assert(
      fc.property(
        link,
        fc.nat(),
        fc.nat(),
        fc.integer({ min: 1, max: 12 }),
        fc.boolean(),
        (link, field, from, length, upper) => {
          const passes = linkFilter(queryOf({ search: partOf(link, field, from, length, upper) }));
          expect(passes(link)).toBe(true);
        },
      ),
      { numRuns: 300 },
    );
  });

  test('passes a link for parts of several texts, in any order', () => {
    const part = fc.tuple(fc.nat(), fc.nat(), fc.integer({ min: 1, max: 8 }), fc.boolean());
    fc.assert(
      fc.property(link, fc.array(part, { maxLength: 4 }), (link, parts) => {
        const words = parts.map((part) => partOf(link, ...part));
        expect(linkFilter(queryOf({ search: words.join(' ') }))(link)).toBe(true);
        const others = linkFilter(queryOf({ search: [...words, 'no-such-word'].join(' ') }));
        expect(others(link)).toBe(false);
      }),
      { numRuns: 200 },
    );
  });
});
