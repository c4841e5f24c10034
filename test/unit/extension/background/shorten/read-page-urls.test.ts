import { afterEach, expect, test, vi } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import { readCanonicalUrl } from '../../../../../extension/background/shorten/read-page-urls.ts';

const TAB = 'https://example.com/page?ref=news';
const PAGE = {
  canonical: ['https://example.com/page'],
  openGraph: [],
  shortlink: [],
  loadedFrom: TAB,
};

afterEach(() => {
  vi.useRealTimers();
});

test.each([
  [4, 'https://example.com/page'],
  [Number.POSITIVE_INFINITY, undefined],
])('after %d rejected tries, the canonical URL of a page is %s', async (rejected, url) => {
  let tries = 0;
  const executeScript = async () => {
    tries += 1;
    if (tries <= rejected) throw new Error('Cannot access contents of the page.');
    return [{ result: PAGE }];
  };
  Object.assign(fakeBrowser, { scripting: { executeScript } });
  vi.useFakeTimers();
  const reading = readCanonicalUrl(1, TAB);
  await vi.advanceTimersByTimeAsync(300);
  expect((await reading)?.url).toBe(url);
});
