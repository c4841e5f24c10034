import { describe, expect, test } from 'vitest';
import { COPY_FORMATS, formatCopy } from '../../../../shared/links/copy-format.ts';

const SHORT = 'https://curt.example/abc';
const link = (title: string) => ({
  shortUrl: SHORT,
  originalUrl: 'https://example.com/a_page/',
  title,
});

test.each([
  ['url', SHORT],
  ['markdown', `[A page](${SHORT})`],
  ['title_and_url', `A page – ${SHORT}`],
] as const)('%s copies %s', (format, text) => {
  expect(formatCopy(link('A page'), format)).toBe(text);
});

test.each([
  ['url', SHORT],
  ['markdown', `[example.com/a\\_page](${SHORT})`],
  ['title_and_url', SHORT],
] as const)('%s of a link without a title copies %s', (format, text) => {
  expect(formatCopy(link('   '), format)).toBe(text);
});

describe('a title in a Markdown link', () => {
  test.each([
    ['[Draft] plan', '\\[Draft\\] plan'],
    ['x](https://evil.example) [y', 'x\\](https://evil.example) \\[y'],
    ['back\\slash\\', 'back\\\\slash\\\\'],
    ['*bold* _it_ `code` ~~no~~', '\\*bold\\* \\_it\\_ \\`code\\` \\~\\~no\\~\\~'],
    ['<img src=x> &lt; a | b', '\\<img src=x\\> \\&lt; a \\| b'],
    ['C# 1.0 - (new!)', 'C# 1.0 - (new!)'],
  ])('%s is escaped as %s', (title, text) => {
    expect(formatCopy(link(title), 'markdown')).toBe(`[${text}](${SHORT})`);
  });
});

test.each(COPY_FORMATS)('%s is one line, and the title cannot reorder the URL', (format) => {
  const text = formatCopy(link('Two\r\nlines\u2028and\u0007 \u202emore'), format);
  expect(text).not.toMatch(/[\p{Cc}\u2028\u202e]/u);
  if (format !== 'url') expect(text).toContain('Two lines and more');
});
