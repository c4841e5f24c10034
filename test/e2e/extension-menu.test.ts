import { describe, expect, test } from 'vitest';
import {
  badge,
  keptLinks,
  menuEntries,
  notifications,
  openPopup,
  shownLink,
  targetOf,
  useBench,
} from './support/extension-bench.ts';

const WAIT_MS = 10_000;

const bench = useBench();

describe('the context menu', () => {
  test('has an entry for links, pages and selections', async () => {
    // The API has no way to list entries; updating one that is not there is an error.
    const known = await menuEntries(bench, ['shorten-link', 'shorten-page', 'shorten-selection']);
    expect(known).toHaveLength(3);
  });

  test.each([
    ['a link', { menuItemId: 'shorten-link', linkUrl: 'https://example.com/linked' }],
    ['selected text', { menuItemId: 'shorten-selection', selectionText: ' example.com/linked ' }],
  ])('on %s shortens it, copies it and tells', async (_, click) => {
    await bench.chromium.writeClipboard('before');
    await bench.chromium.clickContextMenu(click, bench.page);
    await expect.poll(() => notifications(bench), { timeout: WAIT_MS }).toHaveLength(1);
    const copied = await bench.chromium.readClipboard();
    expect(await targetOf(copied)).toBe('https://example.com/linked');
    expect(await badge(bench)).toBe('✓');
  });

  test('on a page shortens the page, and finds the popup’s link again', async () => {
    const popup = await openPopup(bench);
    const made = await shownLink(popup, 'Short link copied');
    await popup.close();
    await bench.chromium.writeClipboard('before');
    await bench.chromium.clickContextMenu({ menuItemId: 'shorten-page' }, bench.page);
    await expect.poll(() => notifications(bench), { timeout: WAIT_MS }).toHaveLength(1);
    expect(await bench.chromium.readClipboard()).toBe(made);
  });

  test('on selected words that are no address makes nothing and says so', async () => {
    await bench.chromium.writeClipboard('before');
    await bench.chromium.clickContextMenu(
      { menuItemId: 'shorten-selection', selectionText: 'just some words' },
      bench.page,
    );
    await expect.poll(() => notifications(bench), { timeout: WAIT_MS }).toHaveLength(1);
    expect(await badge(bench)).toBe('!');
    expect(await bench.chromium.readClipboard()).toBe('before');
    expect(await keptLinks(bench)).toEqual([]);
  });
});
