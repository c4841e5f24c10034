import type { Page } from 'puppeteer-core';
import { describe, expect, test } from 'vitest';
import { createClient } from '../../../../shared/client.ts';
import { dataOf } from '../../../support/data-of.ts';
import { findFaults } from '../../support/checks/accessibility.ts';
import { openPart } from '../../support/checks/rules-editor.ts';
import { nameOfFocused } from '../../support/checks/walk-by-keyboard.ts';
import {
  choose,
  expectStatus,
  fieldValue,
  fill,
  issueOf,
  openPopup,
  press,
  savedLinks,
  shownLink,
  stored,
  useFixture,
} from '../../support/extension/extension-fixture.ts';

const fixture = useFixture();

const visit = (path: string) =>
  fetch(`${fixture.server.baseUrl}/${path}`, {
    redirect: 'manual',
    headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Firefox/153.0' },
  });

async function showsAlias(popup: Page, alias: string): Promise<void> {
  const isThere = (text: string) => document.querySelector('output')?.textContent?.endsWith(text);
  await popup.waitForFunction(isThere, {}, `/${alias}`);
}

describe('the alias is edited in place', () => {
  test('by typing it, and Enter copies the new short URL', async () => {
    const popup = await openPopup(fixture);
    await shownLink(popup, 'Short link copied');
    await popup.keyboard.type('renamed');
    await expect.poll(() => fieldValue(popup, 'Custom alias')).toBe('renamed');
    await popup.keyboard.press('Enter');
    await showsAlias(popup, 'renamed');
    await expectStatus(popup, 'Short link copied');
    expect(await fixture.chromium.readClipboard()).toBe(`${fixture.server.baseUrl}/renamed`);
  });

  test('by typing it only as long as the settings allow keys outside of fields', async () => {
    const startsAlias = async (status: string) => {
      const options = await fixture.chromium.openExtensionPage('options.html');
      await choose(options, 'Use keyboard shortcuts');
      await options.close();
      const popup = await openPopup(fixture);
      await shownLink(popup, status);
      const event = { key: 'x', bubbles: true, cancelable: true };
      return () =>
        popup.evaluate(
          (init) => !document.body.dispatchEvent(new KeyboardEvent('keydown', init)),
          event,
        );
    };
    expect(await (await startsAlias('Short link copied'))()).toBe(false);
    expect(await (await startsAlias('Already shortened, link copied'))()).toBe(true);
  });

  test('by a click on it; a taken one is said at the field, and Escape leaves the link as it is', async () => {
    const popup = await openPopup(fixture);
    const shortUrl = await shownLink(popup, 'Short link copied');
    await popup.locator('.alias').click();
    await expect
      .poll(() => fieldValue(popup, 'Custom alias'))
      .toBe(new URL(shortUrl).pathname.slice(1));
    // The whole alias is selected.
    await popup.keyboard.type('api');
    await popup.keyboard.press('Enter');
    await expect.poll(() => issueOf(popup, 'Custom alias')).toBe('This alias is taken');
    expect(await findFaults(popup)).toEqual([]);
    await popup.keyboard.press('Escape');
    await popup.waitForSelector('.alias-editor', { hidden: true });
    expect(await shownLink(popup, 'Short link copied')).toBe(shortUrl);
  });
});

test('Escape closes the form, and “More” shows again what was typed', async () => {
  const popup = await openPopup(fixture);
  await shownLink(popup, 'Short link copied');
  await press(popup, 'More');
  const before = await fieldValue(popup, 'Title');
  await fill(popup, 'Title', 'Half-written');
  await popup.keyboard.press('Escape');
  await popup.waitForSelector('form.link-form', { hidden: true });
  const note = () => popup.$eval('.bar-note', ({ textContent }) => textContent);
  await expect.poll(note).toContain('aren’t saved');
  await expect.poll(() => nameOfFocused(popup)).toBe('More');
  await press(popup, 'More');
  await expect.poll(() => fieldValue(popup, 'Title')).toBe('Half-written');
  await press(popup, 'Cancel');
  await press(popup, 'More');
  await expect.poll(() => fieldValue(popup, 'Title')).toBe(before);
});

test('“More” changes the link that is shown, and a copied link follows its new alias', async () => {
  const popup = await openPopup(fixture);
  await shownLink(popup, 'Short link copied');
  await press(popup, 'More');
  await expect.poll(() => nameOfFocused(popup)).toBe('Custom alias');
  const title = await fixture.page.title();
  await expect.poll(() => fieldValue(popup, 'Private title')).toBe(title);
  expect(await popup.$$eval('.primary', (buttons) => buttons.length)).toBe(1);
  expect(await findFaults(popup)).toEqual([]);
  await fill(popup, 'Custom alias', 'moved');
  await fill(popup, 'Destination', 'https://example.com/elsewhere');
  await openPart(popup, 'Protection');
  await fill(popup, 'Password for visitors', 'open sesame');
  await press(popup, 'Save');
  await showsAlias(popup, 'moved');
  await expectStatus(popup, 'Short link copied');
  expect(await fixture.chromium.readClipboard()).toBe(`${fixture.server.baseUrl}/moved`);
  await expect
    .poll(() => savedLinks(fixture))
    .toMatchObject([
      {
        shortUrl: `${fixture.server.baseUrl}/moved`,
        originalUrl: 'https://example.com/elsewhere',
        hasPassword: true,
      },
    ]);
  const answer = await visit('moved');
  expect(answer.status).toBe(200);
  expect(await answer.text()).not.toContain('elsewhere');
});

test('“Undo” deletes the link that the click has created, and “Restore” brings it back', async () => {
  const popup = await openPopup(fixture);
  const shortUrl = await shownLink(popup, 'Short link copied');
  const alias = new URL(shortUrl).pathname.slice(1);
  await press(popup, 'Undo');
  await popup.waitForSelector('.stage-deleted');
  expect(await findFaults(popup)).toEqual([]);
  await expect.poll(async () => (await visit(alias)).status).toBe(410);
  await press(popup, 'Restore');
  expect(await shownLink(popup, 'Short link copied')).toBe(shortUrl);
  expect((await visit(alias)).status).toBe(302);
  expect(await fixture.chromium.readClipboard()).toBe(shortUrl);
});

test('a link that existed before shows today’s visits, and can be paused and resumed', async () => {
  const first = await openPopup(fixture);
  const shortUrl = await shownLink(first, 'Short link copied');
  await first.close();
  const alias = new URL(shortUrl).pathname.slice(1);
  expect((await visit(alias)).status).toBe(302);

  // It is counted in the background.
  const client = createClient({ baseUrl: fixture.server.baseUrl });
  const { accountTokens } = await stored(fixture);
  const token = accountTokens[fixture.server.baseUrl] as string;
  await expect
    .poll(async () => dataOf(await client.getStatistics({ token })).totals.people)
    .toBe(1);

  const popup = await openPopup(fixture);
  await expectStatus(popup, 'Already shortened, link copied');
  const visits = () => popup.$eval('.visits-today', (one) => one.textContent);
  await expect.poll(visits).toBe('1 visit today');
  expect(await findFaults(popup)).toEqual([]);
  await press(popup, 'More');
  await press(popup, 'Pause');
  await popup.waitForSelector('::-p-aria([name="Resume"][role="button"])');
  await expect.poll(async () => (await visit(alias)).status).toBe(410);
  await popup.close();

  // Still the page's link: nothing else is created.
  const again = await openPopup(fixture);
  await again.waitForSelector('::-p-aria([name="Resume"][role="button"])');
  const shown = () => again.$eval('output', (one) => one.textContent);
  await expect.poll(shown).toBe(shortUrl.replace(/^https?:\/\//, ''));
  expect(await savedLinks(fixture)).toHaveLength(1);
  await press(again, 'Resume');
  await again.waitForFunction(() => document.body.textContent?.includes('Resumed'));
  await expect.poll(async () => (await visit(alias)).status).toBe(302);
});
