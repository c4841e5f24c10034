import { expect, test } from 'vitest';
import { titleOf } from '../../../../extension/urls/tab-title.ts';

test.each([
  ['a page', undefined, 'Launch'],
  ['a page with an icon', 'https://example.com/icon.png', 'Launch'],
  ['a page whose icon is in the URL', 'data:image/png;base64,AAAA', 'Launch'],
  ['a document in Firefox', 'chrome://global/skin/icons/pdf.svg', 'Launch'],
  ['a page that Firefox can’t load', 'chrome://global/skin/icons/info.svg', ''],
  ['a page whose certificate is refused', 'chrome://global/skin/icons/warning.svg', ''],
])('the title of %s', (_, favIconUrl, title) => {
  expect(titleOf({ title: 'Launch', ...(favIconUrl && { favIconUrl }) })).toBe(title);
  expect(titleOf({ ...(favIconUrl && { favIconUrl }) })).toBe('');
});
