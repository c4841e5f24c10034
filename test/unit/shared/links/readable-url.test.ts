import { expect, test } from 'vitest';
import { readableUrl } from '../../../../shared/links/readable-url.ts';

test.each([
  ['https://example.com/m%C3%BCnchen/%E6%97%A5%E6%9C%AC', 'example.com/münchen/日本'],
  ['http://example.com/?q=caf%C3%A9%20au%20lait', 'example.com/?q=café%20au%20lait'],
  ['https://example.com/100%/%FF/%C3%BC', 'example.com/100%/%FF/ü'],
  ['https://example.com/%E2%80%AEgpj.exe', 'example.com/%E2%80%AEgpj.exe'],
  ['https://example.com/a%0Ab', 'example.com/a%0Ab'],
])('%s is shown as %s', (url, text) => {
  expect(readableUrl(url)).toBe(text);
});
