import { beforeEach, describe, expect, test } from 'vitest';
import {
  badge,
  inWorker,
  keptLinks,
  notifications,
  targetOf,
  useBench,
} from './support/extension-bench.ts';

/** In the extension's own worker and pages, where the functions handed to `evaluate` run. */
declare const chrome: typeof import('wxt/browser').browser;

const WAIT_MS = 10_000;

const bench = useBench();

describe('the address bar', () => {
  beforeEach(() => bench.chromium.writeClipboard('before'));

  test('has a keyword for it', async () => {
    const { omnibox } = await inWorker(bench, () => chrome.runtime.getManifest());
    expect(omnibox).toEqual({ keyword: 'curt' });
  });

  test('shortens an address that is entered, copies the link and tells', async () => {
    await bench.chromium.enterInOmnibox(' example.com/entered ', bench.page);
    await expect.poll(() => notifications(bench), { timeout: WAIT_MS }).toHaveLength(1);
    expect(await badge(bench)).toBe('✓');
    expect(await targetOf(await bench.chromium.readClipboard())).toBe(
      'https://example.com/entered',
    );
  });

  test.each(['just some words', 'mailto:me@example.com', ''])(
    'makes nothing of %j and says so',
    async (text) => {
      await bench.chromium.enterInOmnibox(text, bench.page);
      await expect.poll(() => notifications(bench), { timeout: WAIT_MS }).toHaveLength(1);
      expect(await badge(bench)).toBe('!');
      expect(await bench.chromium.readClipboard()).toBe('before');
      expect(await keptLinks(bench)).toEqual([]);
    },
  );
});
