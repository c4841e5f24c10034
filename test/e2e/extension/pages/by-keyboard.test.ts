import type { Page } from 'puppeteer-core';
import { describe, expect, test } from 'vitest';
import { findWalkFaults, nameOfFocused, tabTo } from '../../support/checks/walk-by-keyboard.ts';
import {
  expectStatus,
  fieldValue,
  openPopup,
  pressToClose,
  SHORTEN,
  savedLinks,
  saveSettings,
  saveTokens,
  shownLink,
  useFixture,
  useFlakyNetwork,
} from '../../support/extension/extension-fixture.ts';
import { expectText, manyLinks, openLinks, saveLinks } from '../../support/extension/links-page.ts';

describe('with the keyboard alone', () => {
  const fixture = useFixture();

  test('the popup copies, sends the form, shows a QR code, shortens a URL and opens the settings', async () => {
    const popup = await openPopup(fixture);
    await shownLink(popup, 'Short link copied');
    await focusIsOn(popup, 'Copy');
    await popup.keyboard.press('Enter');
    await expectStatus(popup, 'Short link copied');

    // Any letter starts a new alias.
    await popup.keyboard.type('renamed');
    await focusIsOn(popup, 'Custom alias');
    await popup.keyboard.press('Enter');
    await endsWith(popup, '/renamed');
    await expectStatus(popup, 'Short link copied');

    await tabTo(popup, 'More');
    await popup.keyboard.press('Space');
    await focusIsOn(popup, 'Custom alias');
    await popup.keyboard.press('Escape');
    await focusIsOn(popup, 'More');
    await popup.keyboard.press('Space');
    await focusIsOn(popup, 'Custom alias');
    await popup.keyboard.type('typed');
    await tabTo(popup, 'When');
    await popup.keyboard.press('Enter');
    await tabTo(popup, 'Never');
    for (const _ of ['1 hour', '1 day', '7 days', '30 days', 'Custom']) {
      await popup.keyboard.press('ArrowDown');
    }
    await tabTo(popup, 'Duration');
    await popup.keyboard.type('2');
    await popup.keyboard.press('Enter');
    await endsWith(popup, '/renamedtyped');
    await focusIsOn(popup, 'More');
    const expiry = async () => {
      const links = await savedLinks(fixture);
      return links.find(({ shortUrl }) => shortUrl.endsWith('/renamedtyped'))?.expiresAt;
    };
    await expect.poll(expiry).toBeTruthy();

    await tabTo(popup, 'QR code');
    await popup.keyboard.press('Enter');
    await popup.waitForSelector('.qr-dark[d^=M]');
    await popup.keyboard.press('Enter');
    await popup.waitForSelector('.qr-dark', { hidden: true });

    await tabTo(popup, 'Shorten another URL');
    await popup.keyboard.press('Enter');
    await popup.waitForSelector('.url-form input:focus');
    await popup.keyboard.type('example.com/typed');
    await popup.keyboard.press('Enter');
    await popup.waitForSelector('.target[title="https://example.com/typed"]');
    await focusIsOn(popup, 'Copy');

    const settings = fixture.chromium.findPage((target) => target.url().endsWith('/options.html'));
    await tabTo(popup, 'Settings');
    pressToClose(popup, 'Enter');
    await (await settings).close();
  });

  test('My links can be searched and used', async () => {
    await saveLinks(fixture, manyLinks(5));
    const page = await openLinks(fixture);
    await expectText(page, '5 links');
    await focusIsOn(page, 'Search by title, destination or alias');
    await page.keyboard.type('number 3');
    await expectText(page, '1 link');

    await tabTo(page, 'Copy');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.row .icon-check');

    await tabTo(page, 'Actions');
    await page.keyboard.press('Enter');
    await focusIsOn(page, 'Edit');
    for (const item of ['Copy as Markdown', 'Open']) {
      await page.keyboard.press('ArrowDown');
      await focusIsOn(page, item);
    }
    await page.keyboard.press('ArrowDown');
    await focusIsOn(page, 'QR code');
    await page.keyboard.press('Enter');
    await page.waitForSelector('dialog[open] .qr-dark[d^=M]');
    expect(await findWalkFaults(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.waitForSelector('dialog[open]', { hidden: true });
    await focusIsOn(page, 'Actions');

    await page.close();
  });
});

describe('when a clicked button disappears, the focus moves on', () => {
  const fixture = useFixture();
  const network = useFlakyNetwork(fixture);

  const use = (settings: object) =>
    saveSettings(fixture, { serverOrigin: network.origin, ...settings });

  /** Presses the focused button and checks the focus while the request is pending. */
  async function pressAndWait(popup: Page, name: string): Promise<void> {
    await focusIsOn(popup, name);
    network.holds = SHORTEN;
    await popup.keyboard.press('Enter');
    await expectStatus(popup, 'Shortening…');
    await focusIsOnWorking(popup);
    network.holds = undefined;
  }

  test('at “Try now” and “Discard”, whatever the result', async () => {
    // With an account, this isn't a first run.
    await saveTokens(fixture, { 'https://curt.example': 'curt_here-and-now' });
    network.isDown = true;
    const popup = await openPopup(fixture);
    await expectStatus(popup, 'Can’t reach the server');
    await focusIsOn(popup, 'Try now');
    network.isDown = false;
    network.holds = 'GET /api/health';
    await popup.keyboard.press('Enter');
    await focusIsOnWorking(popup);
    network.isDown = true;
    await expectStatus(popup, 'Can’t reach the server');
    await focusIsOn(popup, 'Try now');

    network.isDown = false;
    network.holds = undefined;
    await tabTo(popup, 'Discard');
    await popup.keyboard.press('Enter');
    await expectStatus(popup, 'Ready to shorten this page');
    await focusIsOn(popup, 'Custom alias');
    await popup.keyboard.press('Enter');
    await shownLink(popup, 'Short link copied');
    await focusIsOn(popup, 'Copy');
  });

  test('at “Try again”', async () => {
    await saveTokens(fixture, { [network.origin]: `curt_${'x'.repeat(43)}` });
    const popup = await openPopup(fixture);
    await expectStatus(popup, 'The server doesn’t recognize your sign-in key');
    await focusIsOn(popup, 'Open settings');
    await popup.keyboard.press('Tab');
    await pressAndWait(popup, 'Try again');
    await expectStatus(popup, 'The server doesn’t recognize your sign-in key');
    // It moves to what helps.
    await focusIsOn(popup, 'Open settings');
  });

  test('at “Create another”', async () => {
    const first = await openPopup(fixture);
    await shownLink(first, 'Short link copied');
    await first.close();
    const popup = await openPopup(fixture);
    await shownLink(popup, 'Already shortened, link copied');
    await tabTo(popup, 'Create another');
    await pressAndWait(popup, 'Create another');
    await shownLink(popup, 'Short link copied');
    await focusIsOn(popup, 'Copy');
  });

  test('at “Use the full URL”', async () => {
    await use({ optionsFirst: true });
    await fixture.page.goto(`${fixture.page.url()}?utm_source=letter`);
    const popup = await openPopup(fixture);
    await expectStatus(popup, 'Ready to shorten this page');
    await focusIsOn(popup, 'Custom alias');
    await tabTo(popup, 'Use the full URL');
    await popup.keyboard.press('Enter');
    await popup.waitForSelector('.url-change', { hidden: true });
    await focusIsOn(popup, 'Ready to shorten this page');
  });

  test('at “Discard” in the queue, to the next row and finally to the form', async () => {
    network.isDown = true;
    const path = () => fixture.page.url().replace('http://', '');
    const older = path();
    const first = await openPopup(fixture);
    await expectStatus(first, 'No server is responding yet');
    await first.close();
    await fixture.page.goto(`${fixture.page.url()}-next`);
    const popup = await openPopup(fixture);
    await expectStatus(popup, 'No server is responding yet');
    const queue = `2 links waiting for ${new URL(network.origin).host}`;
    await expectText(popup, queue);
    await tabTo(popup, queue);
    await popup.keyboard.press('Enter');
    await tabTo(popup, `Discard: ${older}`);
    await popup.keyboard.press('Enter');
    await focusIsOn(popup, `Try now: ${path()}`);
    await tabTo(popup, `Discard: ${path()}`);
    await popup.keyboard.press('Enter');
    await expectStatus(popup, 'Ready to shorten this page');
    await focusIsOn(popup, 'Custom alias');
  });

  test('but never away from a field in use', async () => {
    network.holdsAnswerOf = SHORTEN;
    const popup = await openPopup(fixture);
    await expect.poll(() => network.answered).toContain(SHORTEN);
    await tabTo(popup, 'Shorten another URL');
    await popup.keyboard.press('Enter');
    await popup.waitForSelector('.url-form input:focus');
    await popup.keyboard.type('example.com');
    network.holdsAnswerOf = undefined;
    await shownLink(popup, 'Short link copied');
    await popup.keyboard.type('/written');
    await expect.poll(() => fieldValue(popup, 'Shorten another URL')).toBe('example.com/written');
  });
});

async function endsWith(page: Page, ending: string): Promise<void> {
  const isThere = (text: string) => document.querySelector('output')?.textContent?.endsWith(text);
  await page.waitForFunction(isThere, {}, ending);
}

function focusIsOn(page: Page, name: string): Promise<void> {
  return expect.poll(() => nameOfFocused(page)).toBe(name) as Promise<void>;
}

/** On the status line, which also says that the server is slow once three seconds have passed. */
function focusIsOnWorking(page: Page): Promise<void> {
  return expect.poll(() => nameOfFocused(page)).toMatch(/^Shortening…/) as Promise<void>;
}
