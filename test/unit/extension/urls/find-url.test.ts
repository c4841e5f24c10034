import { describe, expect, test } from 'vitest';
import { findUrl } from '../../../../extension/urls/find-url.ts';

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

  test('yields a URL that is too long, so that the error says so', () => {
    const url = `https://example.com/${'x'.repeat(9000)}`;
    expect(findUrl(`Here: ${url}.`)).toBe(url);
  });
});
