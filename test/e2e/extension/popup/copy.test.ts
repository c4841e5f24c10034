import { describe, expect, test } from 'vitest';
import { findViolations } from '../../support/checks/accessibility.ts';
import {
  expectStatus,
  fill,
  notifications,
  openForm,
  openPopup,
  press,
  saveSettings,
  shownLink,
  stored,
  useFixture,
  useSlowServer,
} from '../../support/extension/extension-fixture.ts';

const fixture = useFixture();

function choose(copyFormat: string, serverOrigin = fixture.server.baseUrl): Promise<void> {
  return saveSettings(fixture, { serverOrigin, copyFormat });
}

describe('a link is copied in the chosen format', () => {
  test('by the popup, with the page’s title', async () => {
    await choose('markdown');
    await fixture.page.goto(`${fixture.page.url()}?title=${encodeURIComponent('[One] *title*')}`);
    const popup = await openPopup(fixture);
    const shortUrl = await shownLink(popup, 'Short link copied');
    expect(await fixture.chromium.readClipboard()).toBe(`[\\[One\\] \\*title\\*](${shortUrl})`);
  });

  test('by its button, with the link’s own title', async () => {
    await choose('title_and_url');
    const popup = await openForm(fixture);
    await fill(popup, 'Custom alias', 'named');
    await fill(popup, 'Title', 'A name of its own');
    await press(popup, 'Shorten');
    await popup.waitForFunction(() =>
      document.querySelector('output')?.textContent?.endsWith('/named'),
    );
    await expectStatus(popup, 'Short link copied');
    await press(popup, 'Copy');
    await expectStatus(popup, 'Short link copied');
    expect(await fixture.chromium.readClipboard()).toBe(
      `A name of its own – ${fixture.server.baseUrl}/named`,
    );
  });

  test('by the context menu, on a page with its title, on a link with its URL', async () => {
    await choose('markdown');
    await fixture.chromium.clickContextMenu({ menuItemId: 'shorten-page' }, fixture.page);
    await expect.poll(() => notifications(fixture)).toHaveLength(1);
    expect(await fixture.chromium.readClipboard()).toMatch(
      new RegExp(`^\\[${await fixture.page.title()}\\]\\(${fixture.server.baseUrl}/\\w+\\)$`),
    );
    await fixture.chromium.clickContextMenu(
      { menuItemId: 'shorten-link', linkUrl: 'https://example.com/linked' },
      fixture.page,
    );
    await expect.poll(() => notifications(fixture)).toHaveLength(1);
    expect(await fixture.chromium.readClipboard()).toMatch(/^\[example\.com\/linked\]\(http/);
  });

  test('for a popup that was closed before the response', async () => {
    const slow = await useSlowServer(fixture, { copyFormat: 'title_and_url' });
    const title = await fixture.page.title();
    const popup = await openPopup(fixture);
    await slow.isAsked();
    await popup.close();
    slow.release();
    await expect.poll(() => notifications(fixture)).toHaveLength(1);
    expect(await fixture.chromium.readClipboard()).toMatch(new RegExp(`^${title} – http://`));
  });
});

test('the format is saved at once', async () => {
  const options = await fixture.chromium.openExtensionPage('options.html');
  await options.waitForSelector('[name=copyFormat]');
  await options.select('[name=copyFormat]', 'markdown');
  await expect
    .poll(async () => (await stored(fixture)).settings)
    .toMatchObject({ copyFormat: 'markdown' });
  expect(await findViolations(options)).toEqual([]);
  await options.close();
});
