import { expect, test } from 'vitest';
import { readShared } from '../../../../server/dashboard/create/CreatePage.tsx';

test.each([
  [
    { url: 'https://example.com/a', title: 'A' },
    { url: 'https://example.com/a', title: 'A' },
  ],
  [
    { text: 'Look: https://example.com/b', title: 'B' },
    { url: 'https://example.com/b', title: 'B' },
  ],
  [{ title: 'https://example.com/c' }, { url: 'https://example.com/c', title: '' }],
  [{ text: 'example.com/d' }, { url: 'https://example.com/d', title: '' }],
  [{ title: 'Only a title' }, { url: '', title: 'Only a title' }],
  [{}, { url: '', title: '' }],
])('of %j, %j is taken', (query, expected) => {
  expect(readShared(new URLSearchParams(query as Record<string, string>))).toEqual(expected);
});
