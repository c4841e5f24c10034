import { describe, expect, test } from 'vitest';
import { findViolations } from '../support/accessibility.ts';
import {
  fill,
  notifications,
  openForm,
  openPopup,
  press,
  saveSettings,
  says,
  shownLink,
  stored,
  useBench,
} from '../support/extension-bench.ts';
import { startHoldingProxy } from '../support/holding-proxy.ts';

const WAIT_MS = 10_000;

const bench = useBench();

function choose(copyFormat: string, serverOrigin = bench.server.baseUrl): Promise<void> {
  return saveSettings(bench, { serverOrigin, copyFormat });
}

describe('a link is copied in the format that was chosen', () => {
  test('by the popup, with the page’s title', async () => {
    await choose('markdown');
    await bench.page.goto(`${bench.page.url()}?title=${encodeURIComponent('[One] *title*')}`);
    const popup = await openPopup(bench);
    const shortUrl = await shownLink(popup, 'Short link copied');
    expect(await bench.chromium.readClipboard()).toBe(`[\\[One\\] \\*title\\*](${shortUrl})`);
  });

  test('by its button, with the title that the link was given', async () => {
    await choose('title_and_url');
    const popup = await openForm(bench);
    await fill(popup, 'Ending', 'named');
    await fill(popup, 'Title', 'A name of its own');
    await press(popup, 'Make this link');
    await popup.waitForFunction(
      () => document.querySelector('output')?.textContent?.endsWith('/named'),
      { timeout: WAIT_MS },
    );
    await says(popup, 'Short link copied');
    await press(popup, 'Copy');
    await says(popup, 'Short link copied');
    expect(await bench.chromium.readClipboard()).toBe(
      `A name of its own – ${bench.server.baseUrl}/named`,
    );
  });

  test('by the context menu on a page, with its title; on a link, with its address', async () => {
    await choose('markdown');
    await bench.chromium.clickContextMenu({ menuItemId: 'shorten-page' }, bench.page);
    await expect.poll(() => notifications(bench)).toHaveLength(1);
    expect(await bench.chromium.readClipboard()).toMatch(
      new RegExp(`^\\[${await bench.page.title()}\\]\\(${bench.server.baseUrl}/\\w+\\)$`),
    );
    await bench.chromium.clickContextMenu(
      { menuItemId: 'shorten-link', linkUrl: 'https://example.com/linked' },
      bench.page,
    );
    await expect.poll(() => notifications(bench)).toHaveLength(1);
    expect(await bench.chromium.readClipboard()).toMatch(/^\[example\.com\/linked\]\(http/);
  });

  test('for a popup that was closed before the answer', async () => {
    const slow = await startHoldingProxy(bench.server.baseUrl);
    try {
      await choose('title_and_url', slow.origin);
      const title = await bench.page.title();
      const popup = await openPopup(bench);
      await slow.asked;
      await popup.close();
      slow.release();
      await expect.poll(() => notifications(bench)).toHaveLength(1);
      expect(await bench.chromium.readClipboard()).toMatch(new RegExp(`^${title} – http://`));
    } finally {
      await slow.stop();
    }
  });
});

test('the format is saved as it is chosen', async () => {
  const options = await bench.chromium.openExtensionPage('options.html');
  await options.waitForSelector('[name=copyFormat]');
  await options.select('[name=copyFormat]', 'markdown');
  await expect
    .poll(async () => (await stored(bench)).settings)
    .toMatchObject({ copyFormat: 'markdown' });
  expect(await findViolations(options)).toEqual([]);
  await options.close();
});
