import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LinkChunk } from '../../../server/store/json-file/listing/link-chunk.ts';
import { LinkFilter } from '../../../server/store/json-file/listing/link-filter.ts';
import type { Link, LinkQuery } from '../../../server/store/link.ts';
import { toLinkJson } from '../../../server/store/records/link-json.ts';
import { NOW, newLink } from '../contract.ts';

const text = fc.string({ unit: 'grapheme', maxLength: 40 });
const link: fc.Arbitrary<Link> = fc
  .record({
    alias: fc.stringMatching(/^[A-Za-z0-9_-]{1,10}$/),
    furtherAliases: fc.array(fc.stringMatching(/^[A-Za-z0-9_-]{1,10}$/), { maxLength: 2 }),
    title: fc.oneof(text, fc.constantFrom('ΟΔΟΣ ΟΔΟΣΑ', 'İstanbul', '"\\"\n', '東京')),
    originalUrl: fc.webUrl({ withQueryParameters: true }),
    tags: fc.array(text, { maxLength: 3 }),
  })
  .map((fields) => ({ ...newLink('').link, ...fields }));

/** Whether the index of the link lets it pass. */
function mayMatch(link: Link, { key }: LinkFilter): boolean {
  if (!key) return true;
  const chunk = new LinkChunk();
  chunk.insert(0, 0, NOW);
  chunk.ensureSignature(0, JSON.stringify(toLinkJson(link)));
  return chunk.mayHave(key) && chunk.mayMatch(0, key);
}

function queryOf(conditions: Partial<LinkQuery>): LinkQuery {
  return { accountId: '', limit: 1, after: null, search: null, tag: null, ...conditions };
}

/** A part of one of the link's texts, from one whole character to another, in another case. */
function partOf(link: Link, field: number, from: number, length: number, upper: boolean): string {
  const texts = [link.alias, ...link.furtherAliases, link.title, link.originalUrl, ...link.tags];
  const characters = [...(texts[field % texts.length] ?? '')];
  const start = from % (characters.length + 1);
  const part = characters.slice(start, start + length).join('');
  // Upper case is not always reversible: "ß" becomes "SS".
  const changed = upper ? part.toUpperCase() : part;
  return changed.toLowerCase() === part.toLowerCase() ? changed : part;
}

describe('a filter', () => {
  test('passes a link for each part of its texts, with the signature and the fast check', () => {
    fc.assert(
      fc.property(
        link,
        fc.nat(),
        fc.nat(),
        fc.integer({ min: 1, max: 12 }),
        fc.boolean(),
        (link, field, from, length, upper) => {
          const filter = new LinkFilter(
            queryOf({ search: partOf(link, field, from, length, upper) }),
          );
          expect(filter.passes(link)).toBe(true);
          expect(filter.mayPass(JSON.stringify(toLinkJson(link)))).toBe(true);
          expect(mayMatch(link, filter)).toBe(true);
        },
      ),
      { numRuns: 2000 },
    );
  });

  test('passes a link for each of its tags, with the signature and the fast check', () => {
    fc.assert(
      fc.property(link, fc.nat(), (link, which) => {
        const tag = link.tags[which % link.tags.length];
        if (tag === undefined) return;
        const filter = new LinkFilter(queryOf({ tag }));
        expect(filter.passes(link)).toBe(true);
        expect(filter.mayPass(JSON.stringify(toLinkJson(link)))).toBe(true);
        expect(mayMatch(link, filter)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});

test('signatures tell most links apart from a search that they do not match', () => {
  const filter = new LinkFilter(queryOf({ search: 'needlework' }));
  let candidates = 0;
  for (let number = 0; number < 2000; number++) {
    const originalUrl = `https://www.example.com/articles/${number * 7919}/the-title-of-page-${number}`;
    const title = `The title of page ${number}`;
    const link = { ...newLink('').link, alias: `alias${number}`, originalUrl, title };
    if (mayMatch(link, filter)) candidates++;
  }
  expect(candidates).toBeLessThan(100);
});
