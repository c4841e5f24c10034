import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type PageUrls, selectCanonical } from '../../../../extension/urls/canonical-url.ts';

const TAB = 'https://www.example.com/shop/item?id=7&sort=price';

function urlsOf(tab: string, urls: Partial<PageUrls>): PageUrls {
  return { canonical: [], openGraph: [], shortlink: [], loadedFrom: tab, ...urls };
}

describe('a canonical URL is used', () => {
  test.each([
    [TAB, 'https://www.example.com/item-7', 'https://www.example.com/item-7'],
    [TAB, 'https://example.com/item-7', 'https://example.com/item-7'],
    [
      'https://en.m.example.org/wiki/A',
      'https://en.example.org/wiki/A',
      'https://en.example.org/wiki/A',
    ],
    ['http://example.com/a?b', 'https://example.com/a', 'https://example.com/a'],
    ['http://localhost:8080/a?b', 'http://localhost:8080/a', 'http://localhost:8080/a'],
    // The fragment stays.
    ['https://example.com/a?b#part', 'https://example.com/a', 'https://example.com/a#part'],
  ])('on %s: %s', (tab, canonical, url) => {
    expect(selectCanonical(tab, urlsOf(tab, { canonical: [canonical] }))).toEqual({ url });
    expect(selectCanonical(tab, urlsOf(tab, { openGraph: [canonical] }))).toEqual({ url });
  });

  test('in preference to Open Graph', () => {
    const urls = { canonical: ['https://example.com/c'], openGraph: ['https://example.com/o'] };
    expect(selectCanonical(TAB, urlsOf(TAB, urls))).toEqual({ url: 'https://example.com/c' });
  });

  test('even if the page has removed tracking parameters since it was loaded', () => {
    const urls = { canonical: ['https://example.com/c'], loadedFrom: `${TAB}&utm_source=x#a` };
    expect(selectCanonical(TAB, urlsOf(TAB, urls))).toEqual({ url: 'https://example.com/c' });
  });
});

describe('a canonical URL is not used', () => {
  test.each([
    ['of another site', TAB, 'https://other.example/item'],
    ['of a neighbour', 'https://me.github.io/a?b', 'https://you.github.io/a'],
    ['of another port', 'http://localhost:8080/a?b', 'http://localhost:9090/a'],
    ['a step back from https', TAB, 'http://www.example.com/item-7'],
    ['with a password', TAB, 'https://me:secret@www.example.com/item-7'],
    ['not of the web', TAB, 'javascript:alert(1)'],
    ['no URL', TAB, 'item-7'],
    ['the front page', TAB, 'https://www.example.com/'],
    ['the same', TAB, TAB],
    [
      'where the fragment is the page',
      'https://example.com/app#/mail/7',
      'https://example.com/app',
    ],
  ])('%s', (_, tab, canonical) => {
    expect(selectCanonical(tab, urlsOf(tab, { canonical: [canonical] }))).toEqual({});
  });

  test('if there are two', () => {
    const canonical = ['https://example.com/a', 'https://example.com/b'];
    const openGraph = ['https://example.com/a'];
    expect(selectCanonical(TAB, urlsOf(TAB, { canonical, openGraph }))).toEqual({});
  });

  test('if the page navigated without loading a document', () => {
    const urls = {
      canonical: ['https://example.com/before'],
      shortlink: ['https://example.com/s/1'],
      loadedFrom: 'https://www.example.com/shop/item?id=6',
    };
    expect(selectCanonical(TAB, urlsOf(TAB, urls))).toEqual({});
  });
});

describe('a site’s own short link', () => {
  test.each([
    ['https://blog.example.com/2024/05/a-long-title/', 'https://blog.example.com/?p=123', true],
    ['https://www.youtube.com/watch?v=dQw4w9WgXcQ', 'https://youtu.be/dQw4w9WgXcQ', true],
    ['https://me.wordpress.com/2024/05/a-title/', 'https://wp.me/p1-2', true],
    ['https://evil.example/2024/05/a-long-title/', 'https://youtu.be/dQw4w9WgXcQ', false],
    ['https://notyoutube.com/watch?v=dQw4w9WgXcQ', 'https://youtu.be/dQw4w9WgXcQ', false],
    ['https://example.com/a', 'https://example.com/?p=123', false],
    ['https://example.com/a/long/way', 'https://example.com/', false],
    ['https://example.com/a/long/way', 'http://example.com/a', false],
  ])('of %s: %s is used: %s', (tab, shortLink, isTaken) => {
    expect(selectCanonical(tab, urlsOf(tab, { shortlink: [shortLink] }))).toEqual(
      isTaken ? { shortLink } : {},
    );
  });
});

test('the canonical URL is always on the page’s host', () => {
  const anything = fc.array(fc.oneof(fc.webUrl(), fc.string()), { maxLength: 2 });
  fc.assert(
    fc.property(fc.webUrl(), anything, anything, (tab, canonical, shortlink) => {
      const { url, shortLink } = selectCanonical(tab, urlsOf(tab, { canonical, shortlink }));
      for (const one of [url, shortLink]) {
        if (one !== undefined) expect(bare(one)).toBe(bare(tab));
      }
    }),
  );
});

function bare(url: string): string {
  return new URL(url).hostname.split('.').slice(-2).join('.');
}
