import { afterEach, describe, expect, test } from 'vitest';
import {
  inWorker,
  openPopup,
  shownLink,
  statusOf,
  stored,
  targetOf,
  useBench,
} from './support/extension-bench.ts';

/** In the extension's own worker, where the functions handed to `evaluate` run. */
declare const chrome: typeof import('wxt/browser').browser;

const NOT_KEPT = 'Your browser could not store this link';

const bench = useBench();

/** Leaves fewer bytes than any item takes. */
function fillStorage(): Promise<void> {
  return inWorker(bench, async () => {
    const { local } = chrome.storage;
    const quota = (local as unknown as { QUOTA_BYTES: number }).QUOTA_BYTES;
    const used = await local.getBytesInUse(null);
    const overhead = 'ballast'.length + '""'.length;
    await local.set({ ballast: 'x'.repeat(quota - used - overhead - 5) });
  });
}

function makeRoom(): Promise<void> {
  return inWorker(bench, () => chrome.storage.local.remove('ballast'));
}

describe('storage that is full', () => {
  afterEach(makeRoom);

  test('does not cost the link: it is made, shown and copied, and the loss is said', async () => {
    await fillStorage();
    const popup = await openPopup(bench);
    const shortUrl = await shownLink(popup, 'Short link copied');
    expect(await statusOf(popup)).toContain(NOT_KEPT);
    expect(await targetOf(shortUrl)).toBe(bench.page.url());
    expect(await stored(bench)).not.toHaveProperty('accountTokens');
    await popup.close();

    const again = await openPopup(bench);
    expect(await shownLink(again, 'Short link copied')).toBe(shortUrl);
    await again.close();

    // With room the account that was opened is kept, and no other is.
    await makeRoom();
    const last = await openPopup(bench);
    expect(await shownLink(last, 'Short link copied')).toBe(shortUrl);
    expect(await statusOf(last)).not.toContain(NOT_KEPT);
    expect(Object.keys((await stored(bench)).accountTokens)).toEqual([bench.server.baseUrl]);
    await last.close();
  });
});
