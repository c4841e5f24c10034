import { describe, expect, test } from 'vitest';
import { joinLines } from '../../../../shared/links/join-lines.ts';
import { parseOriginalUrl } from '../../../../shared/links/original-url.ts';
import { findUrl, readTypedUrl, shownUrl } from '../../../../shared/links/url-in-text.ts';

describe('selected text', () => {
  test.each([
    ['https://example.com/page', 'https://example.com/page'],
    ['  example.com/page\n', 'https://example.com/page'],
    ['localhost:3000/x', 'https://localhost:3000/x'],
    ['https://web.archive.org/web/2020/https://example.com/x', undefined],
    ['web.archive.org/web/2020/https://example.com/x', undefined],
  ])('that is a URL, %j, is that URL', (text, url) => {
    expect(findUrl(text)).toBe(url ?? `https://${text.replace('https://web', 'web')}`);
  });

  test.each([
    ['https://example.com/page.', 'https://example.com/page'],
    ['https://example.com.', 'https://example.com'],
    ['example.com/page.', 'https://example.com/page'],
    ['(https://example.com/page),', 'https://example.com/page'],
    ['“https://example.com/page”', 'https://example.com/page'],
    ["'https://example.com/page'", 'https://example.com/page'],
    ['<https://example.com/page>', 'https://example.com/page'],
    ['[Page](https://example.com/page)', 'https://example.com/page'],
    ['https://example.com/page?!', 'https://example.com/page'],
    ['https://example.com/page…', 'https://example.com/page'],
    ['*https://example.com/page*', 'https://example.com/page'],
    ['(https://en.wikipedia.org/wiki/Curt_(name)).', 'https://en.wikipedia.org/wiki/Curt_(name)'],
    ['https://en.wikipedia.org/wiki/Curt_(name)', 'https://en.wikipedia.org/wiki/Curt_(name)'],
    ['https://example.com/page/', 'https://example.com/page/'],
    ['https://example.com/?q=', 'https://example.com/?q='],
  ])('loses the punctuation around its URL: %j', (text, url) => {
    expect(findUrl(text)).toBe(url);
  });

  test.each([
    ['Look at https://example.com/page, it is new.', 'https://example.com/page'],
    ['See:https://example.com/page', 'https://example.com/page'],
    ['Read more on example.com/page.', 'https://example.com/page'],
    ['Our site (www.example.com) is up', 'https://www.example.com'],
    ['Ask me@example.com or open example.org today', 'https://example.org'],
    ['詳細は、https://example.com/page。', 'https://example.com/page'],
    ['HTTPS://Example.com/Page here', 'HTTPS://Example.com/Page'],
  ])('can have words around its URL: %j', (text, url) => {
    expect(findUrl(text)).toBe(url);
  });

  test.each([
    ['https://example.com/one and https://example.com/two', 'https://example.com/one'],
    ['report.md is at https://example.com/two', 'https://example.com/two'],
    ['node.js: see example.com/docs', 'https://example.com/docs'],
  ])(
    'with several URLs yields the first one, preferring those with a protocol: %j',
    (text, url) => {
      expect(findUrl(text)).toBe(url);
    },
  );

  test.each([
    undefined,
    '',
    'just some words',
    'It ends. Here.',
    'me@example.com',
    'mailto:me@example.com',
    'at 12:30 for 3.14 euros',
    'javascript:alert(1)',
    'https://',
  ])('without a URL yields none: %j', (text) => {
    expect(findUrl(text)).toBeUndefined();
  });

  test.each([
    ['https://x.example/a, it is good', 'https://x.example/a'],
    ['\u2068https://x.example/a\u2069, it is good', 'https://x.example/a'],
    ['https://x.example/a\u200b.', 'https://x.example/a'],
    ['https://x.example/a，很好', 'https://x.example/a'],
    ['请看https://x.example/a。谢谢', 'https://x.example/a'],
    ['「https://x.example/a」を見て', 'https://x.example/a'],
    ['‚https://x.example/a‘', 'https://x.example/a'],
    ['‹https://x.example/a›', 'https://x.example/a'],
    ['„https://x.example/a‟', 'https://x.example/a'],
    ['https://x.example/a؟', 'https://x.example/a'],
    ['https://x.example/a।', 'https://x.example/a'],
    ['[[https://x.example/a]]', 'https://x.example/a'],
    ['((https://x.example/a))', 'https://x.example/a'],
    ['{[(https://x.example/a)]}.', 'https://x.example/a'],
    ['(see https://en.wikipedia.org/wiki/A_(b_(c)))', 'https://en.wikipedia.org/wiki/A_(b_(c))'],
    ['[Curt](https://en.wikipedia.org/wiki/A_(b))', 'https://en.wikipedia.org/wiki/A_(b)'],
    ['[https://shown.example](https://x.example/a)', 'https://x.example/a'],
    ['![](https://x.example/a.png "title")', 'https://x.example/a.png'],
    ['<a href="https://x.example/a">', 'https://x.example/a'],
    ['https://x.example/a|https://x.example/b', 'https://x.example/a'],
    ['https://x.example/a,https://x.example/b', 'https://x.example/a'],
    ['https://x.example/a\thttps://x.example/b', 'https://x.example/a'],
    ['https://x.example/a\u00a0and more', 'https://x.example/a'],
    ['https://x.example/very/\nlong/path', 'https://x.example/very/long/path'],
    ['Look:\nhttps://x.example/very/\r\nlong/path.\n\nBye', 'https://x.example/very/long/path'],
    ['(example.com/a)', 'https://example.com/a'],
    ['view-source:https://x.example/a', 'https://x.example/a'],
  ])('of other kinds: %j', (text, url) => {
    expect(findUrl(text)).toBe(url);
  });

  test('yields a URL with an invisible character in it, so that the error says so', () => {
    expect(findUrl('See https://x.example/a\u200bb.')).toBe('https://x.example/a\u200bb');
  });

  test('yields a URL that is too long, so that the error says so', () => {
    const url = `https://example.com/${'x'.repeat(9000)}`;
    expect(findUrl(`Here: ${url}.`)).toBe(url);
  });
});

describe('text in a field for a URL', () => {
  test.each([
    ['https://x.example/a', 'https://x.example/a'],
    ['x.example/a', 'x.example/a'],
    [' \u200bhttps://x.example/a\ufeff\r\n', 'https://x.example/a'],
    ['https://x.example/a.', 'https://x.example/a.'],
    ['https://x.example/a b', 'https://x.example/a b'],
    ['mailto:me@x.example', 'mailto:me@x.example'],
    ['(https://x.example/a)', 'https://x.example/a'],
    ['<https://x.example/a>', 'https://x.example/a'],
    ['<URL:https://x.example/a>', 'https://x.example/a'],
    ['"https://x.example/a"', 'https://x.example/a'],
    ['“https://x.example/a”', 'https://x.example/a'],
    ['Look at https://x.example/a, it is good', 'https://x.example/a'],
    ['[text](https://x.example/a)', 'https://x.example/a'],
    ['https://x.example/very/\nlong/path', 'https://x.example/very/long/path'],
    ['https://x.example/a-\nlong\npath/', 'https://x.example/a-longpath/'],
    ['about:reader?url=https%3A%2F%2Fx.example%2Fa', 'https://x.example/a'],
    ['view-source:https://x.example/a', 'https://x.example/a'],
    ['view-source:about:reader?url=x', 'about:reader?url=x'],
  ])('is the URL in it: %j', (text, url) => {
    expect(readTypedUrl(text)).toBe(url);
  });

  test.each([
    'just some words',
    'https://x.example/a https://x.example/b',
    'https://x.example/a\nhttps://x.example/b',
    'open x.example today',
    'https://exa mple.com',
    'https://x.example), and more',
    'javascript:alert(1)',
    'hxxps://x.example/a',
    'https://x.example/a\u200bb',
  ])('stays as it is without a URL or with several: %j', (text) => {
    expect(readTypedUrl(text)).toBe(text.replace('\n', ' '));
  });
});

describe('lines', () => {
  test.each([
    ['https://x.example/very/\nlong/path', 'https://x.example/very/long/path'],
    ['https://x.example/very\n  /long/\n  path.html', 'https://x.example/very/long/path.html'],
    ['https://x.example/?a=1&\r\nb=2', 'https://x.example/?a=1&b=2'],
    ['x.example/very/\nlong/path', 'x.example/very/long/path'],
    [`https://x.example/${'x'.repeat(60)}\nyyy`, `https://x.example/${'x'.repeat(60)}yyy`],
    ['<https://x.example/very/\nlong/path>', '<https://x.example/very/long/path>'],
  ])('of one URL are joined: %j', (text, joined) => {
    expect(joinLines(text)).toBe(joined);
  });

  test.each([
    'https://x.example/a\nhttps://x.example/b',
    'https://x.example/a/\nwww.x.example/b',
    'https://x.example/a\nThanks!',
    'https://x.example/a\nsee you',
    'Hello\nhttps://x.example/a',
    'one\ntwo/three',
  ])('of something else are not: %j', (text) => {
    expect(joinLines(text)).toBe(text.replace('\n', ' '));
  });
});

describe('a URL that was copied out of HTML', () => {
  test.each([
    ['https://x.example/?a=1&amp;b=2&amp;c=3', 'https://x.example/?a=1&b=2&c=3'],
    ['https://x.example/?a=1&#38;b=2&#x26;c=3&AMP;d', 'https://x.example/?a=1&b=2&c=3&d'],
    ['https://x.example/?a=1&amp;amp;b=2', 'https://x.example/?a=1&b=2'],
    ['x.example?a=1&amp;b=2', 'x.example?a=1&b=2'],
    ['href="https://x.example/?a=1&amp;b=2"', 'https://x.example/?a=1&b=2'],
    ['https://x.example/?a=1\n&amp;b=2', 'https://x.example/?a=1&b=2'],
  ])('gets its ampersands back: %j', (text, url) => {
    expect(readTypedUrl(text)).toBe(url);
  });

  test.each([
    'https://x.example/?html=&amp;&b=2',
    'https://x.example/?a=1&b=%26amp;',
    'https://x.example/?a=1&ampere;=2',
    'Tom &amp; Jerry',
  ])('is none if it has another ampersand: %j', (text) => {
    expect(readTypedUrl(text)).toBe(text);
  });
});

describe('a page that shows another', () => {
  test.each([
    ['about:reader?url=https%3A%2F%2Fx.example%2Fa%3Fb%3Dc', 'https://x.example/a?b=c'],
    ['view-source:https://x.example/a', 'https://x.example/a'],
    ['read://https_x.example/?url=https%3A%2F%2Fx.example%2Fa', 'https://x.example/a'],
    ['chrome-distiller://1_2/?title=A&url=https%3A%2F%2Fx.example%2Fa', 'https://x.example/a'],
    ['about:reader?url=%zz', 'about:reader?url=%zz'],
    [
      'chrome-extension://efaidnbmnnnibpcajpcglclefindmkaj/https://x.example/a.pdf?b=c#page=2',
      'https://x.example/a.pdf?b=c#page=2',
    ],
    [
      'chrome-extension://hmigninkgibhdckiaphhmbgcghochdjc/pdfjs/web/viewer.html?file=http://x.example/3499?t=1&version=true',
      'http://x.example/3499?t=1&version=true',
    ],
    [
      'moz-extension://4cb11be8-83cb-41af-81c3-58e30a4717ab/readerview.html?url=https%3A%2F%2Fx.example%2Fa.html&id=1',
      'https://x.example/a.html',
    ],
    [
      'chrome-extension://klbibkeccnjlkjkiokjodocebajanakg/suspended.html#ttl=A%20title&pos=0&uri=https://x.example/a?b=c#d',
      'https://x.example/a?b=c#d',
    ],
    ['chrome-extension://abc/https%3A%2F%2Fx.example%2Fa.pdf', 'https://x.example/a.pdf'],
    ['chrome-extension://abc/popup.html', 'chrome-extension://abc/popup.html'],
    ['chrome-extension://abc/http-tools.html', 'chrome-extension://abc/http-tools.html'],
    ['chrome-extension://abc/x?url=https%3A%zz', 'chrome-extension://abc/x?url=https%3A%zz'],
    [
      'https://x.example/?url=https%3A%2F%2Fy.example',
      'https://x.example/?url=https%3A%2F%2Fy.example',
    ],
  ])('%s shows %s', (url, shown) => {
    expect(shownUrl(url)).toBe(shown);
  });
});

describe('a URL as programs write it', () => {
  test.each([
    ['[https://example.com/a](https://example.com/a)', 'https://example.com/a'],
    ['[Page](<https://example.com/a>)', 'https://example.com/a'],
    ['<https://example.com/a|Page>', 'https://example.com/a'],
    ['[https://example.com/a|The page]', 'https://example.com/a'],
    ['<https://example.com/a|Page|one>', 'https://example.com/a'],
    ['https://example.com/?family=A|B', 'https://example.com/?family=A|B'],
    ['_https://example.com/a_', 'https://example.com/a'],
    ['~https://example.com/a~', 'https://example.com/a'],
    ['https://example.com/a_', 'https://example.com/a_'],
    ['URL: https://example.com/a', 'https://example.com/a'],
    ['<URL:https://example.com/a>', 'https://example.com/a'],
    ['https%3A%2F%2Fexample.com%2Fa%3Fb%3Dc', 'https://example.com/a?b=c'],
    ['https%3a//example.com/a', 'https://example.com/a'],
    ['https\uff1a//example.com/a', 'https://example.com/a'],
    [
      'https://example.com/?u=https%3A%2F%2Fx.example',
      'https://example.com/?u=https%3A%2F%2Fx.example',
    ],
  ])('%j is found, and the same where it is typed', (text, url) => {
    expect(findUrl(text)).toBe(url);
    const parsed = parseOriginalUrl(readTypedUrl(text));
    expect(parsed.ok && parsed.originalUrl).toBe(url);
  });

  test.each([
    ['Gone: (https://example.com/a), please', 'https://example.com/a'],
    ['Link: <https://example.com/a>', 'https://example.com/a'],
    ['tel:+41 44 123 45 67', 'tel:+41 44 123 45 67'],
    ['mailto:me@example.com?subject=a b', 'mailto:me@example.com?subject=a b'],
    ['https%3A%2F%2F%zz', 'https%3A%2F%2F%zz'],
  ])('%j is typed for %j: a word is no scheme', (text, url) => {
    expect(readTypedUrl(text)).toBe(url);
  });
});
