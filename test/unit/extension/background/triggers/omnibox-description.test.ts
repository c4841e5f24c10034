import { expect, test } from 'vitest';
import { describeSuggestion } from '../../../../../extension/background/triggers/omnibox.ts';
import { aLink } from '../../support/a-link.ts';

const link = (title: string) =>
  aLink({
    title,
    shortUrl: 'https://curt.example/a&b',
    originalUrl: 'https://example.com/?a=1&b=<2>',
  });

test.each([
  ['Notes', 'Notes – <url>https://curt.example/a&amp;b</url>'],
  ['', 'example.com/?a=1&amp;b=&lt;2&gt; – <url>https://curt.example/a&amp;b</url>'],
  [
    `</url><b> "Tom" & 'Jerry'`,
    '&lt;/url&gt;&lt;b&gt; &quot;Tom&quot; &amp; &apos;Jerry&apos; – <url>https://curt.example/a&amp;b</url>',
  ],
  ['a\u0000b\u202ec\ud800d', 'a b c d – <url>https://curt.example/a&amp;b</url>'],
])('the title %j is escaped in a suggestion', (title, description) => {
  expect(describeSuggestion(link(title), true)).toBe(description);
});

test('Firefox gets plain text', () => {
  expect(describeSuggestion(link('A & <b>'), false)).toBe('A & <b> – https://curt.example/a&b');
});

test('a long title is truncated, but never within an emoji', () => {
  const description = describeSuggestion(link('🙂'.repeat(300)), false);
  expect(description.startsWith(`${'🙂'.repeat(80)} – `)).toBe(true);
});
