import { describe, expect, test } from 'vitest';
import type { browser } from 'wxt/browser';
import { createClient } from '../../../../shared/client.ts';
import {
  choose,
  control,
  expectStatus,
  fieldValue,
  fill,
  inWorker,
  issueOf,
  openAdvanced,
  openForm,
  openPopup,
  press,
  savedLinks,
  setDate,
  shownLink,
  useFixture,
} from '../../support/extension/extension-fixture.ts';

/** In the extension's own worker, where the functions handed to `evaluate` run. */
declare const chrome: typeof browser;

const fixture = useFixture();

describe('the form of a new link', () => {
  test('creates a link with every field of the API', async () => {
    const popup = await openForm(fixture);
    const alias = 'form';
    expect(await fieldValue(popup, 'Title')).toBe(await fixture.page.title());
    // Its styles load with it: the button stays in view.
    expect(await popup.$eval('.form-end', (end) => getComputedStyle(end).position)).toBe('sticky');
    await fill(popup, 'Custom alias', alias);
    await fill(popup, 'Title', 'A title of my own');
    await fill(popup, 'Tags', 'work');
    await fill(popup, 'Visit limit', '5');
    await fill(popup, 'Password for visitors', 'open sesame');
    await fill(popup, 'Wait before redirect', '7');
    await fill(popup, 'Description', 'For the team');
    await fill(popup, 'Google Tag Manager ID', 'GTM-ABC1234');
    await choose(popup, 'Custom');
    await fill(popup, 'Duration', '3');
    await press(popup, 'Shorten');
    await popup.waitForFunction(
      (alias) => document.querySelector('output')?.textContent?.endsWith(alias),
      {},
      `/${alias}`,
    );
    await expectStatus(popup, 'Short link copied');
    expect(await fixture.chromium.readClipboard()).toBe(`${fixture.server.baseUrl}/${alias}`);

    const [link] = await savedLinks(fixture);
    expect(link).toMatchObject({
      title: 'A title of my own',
      hasPassword: true,
      waitTimer: 7,
      serverState: { tags: ['work'], maxVisits: 5, customGtmId: 'GTM-ABC1234' },
      originalUrl: fixture.page.url(),
    });
    const days = (Date.parse(link?.expiresAt ?? '') - Date.now()) / 86_400_000;
    expect(days).toBeCloseTo(3, 1);
    // The password protects the link: the page shows a form and nothing of the target.
    const answer = await fetch(`${fixture.server.baseUrl}/${alias}`, { redirect: 'manual' });
    expect(answer.status).toBe(200);
    expect(await answer.text()).not.toContain(fixture.page.url());
  });

  test('shows what is used most first, and the rest under Advanced', async () => {
    const popup = await openPopup(fixture);
    await expectStatus(popup, 'Short link copied');
    await press(popup, 'More');
    const seen = () =>
      popup.$$eval('.form label, .form legend', (labels) =>
        labels.filter((one) => one.checkVisibility()).map((one) => one.textContent?.trim()),
      );
    const first = [
      ...['Custom alias', 'Destination', 'Title', 'Tags'],
      ...['Expires', 'Never', '1 hour', '1 day', '7 days', '30 days', 'Custom'],
      ...['Starts', 'Visit limit', 'Password for visitors'],
    ];
    await expect.poll(seen).toEqual(first);
    await openAdvanced(popup);
    const rest = [
      ...['Wait before redirect', 'Keep ?parameters from the short link', 'Description'],
      ...['Google Tag Manager ID', 'Fallback destination'],
    ];
    await expect.poll(seen).toEqual([...first, ...rest]);
  });

  test('creates an expiring link with one click on a duration', async () => {
    const popup = await openForm(fixture);
    await choose(popup, '7 days');
    await press(popup, 'Shorten');
    await expect.poll(async () => (await savedLinks(fixture))[0]?.expiresAt).toBeTruthy();
    const days =
      (Date.parse((await savedLinks(fixture))[0]?.expiresAt ?? '') - Date.now()) / 86_400_000;
    expect(days).toBeCloseTo(7, 1);
  });

  test('expands Advanced for an invalid field', async () => {
    const popup = await openForm(fixture);
    await fill(popup, 'Wait before redirect', '301');
    await popup.$eval('.advanced', (details) => details.removeAttribute('open'));
    await press(popup, 'Shorten');
    const wait = await control(popup, 'Wait before redirect');
    await popup.waitForFunction((field) => document.activeElement === field, {}, wait);
    expect(await wait.evaluate((field) => field.checkVisibility())).toBe(true);
  });

  test('accepts a date as the expiry', async () => {
    const popup = await openForm(fixture);
    await choose(popup, 'Custom');
    await setDate(popup, '2030-01-31T12:00');
    await press(popup, 'Shorten');
    await popup.waitForFunction(() => document.body.textContent?.includes('January 31, 2030'));
    expect((await savedLinks(fixture))[0]?.expiresAt).toBe(new Date(2030, 0, 31, 12).toISOString());
  });

  test('takes a duration or a date, never both', async () => {
    const popup = await openForm(fixture);
    await choose(popup, 'Custom');
    await press(popup, 'Shorten');
    await expect.poll(() => issueOf(popup, 'Duration')).toBe('Enter a duration or a date.');
    await fill(popup, 'Duration', '3');
    await setDate(popup, '2030-01-31T12:00');
    await expect.poll(() => fieldValue(popup, 'Duration')).toBe('');
    await fill(popup, 'Duration', '5');
    await expect.poll(() => fieldValue(popup, 'Or on a date')).toBe('');
    expect(await fieldValue(popup, 'Duration')).toBe('5');
  });

  test('suggests available aliases if one is taken, and applies one on click', async () => {
    const alias = 'taken';
    const taken = await createClient(fixture.server).shorten({
      originalUrl: 'https://example.com/',
      customAlias: alias,
    });
    expect(taken.ok).toBe(true);
    const popup = await openForm(fixture);
    await fill(popup, 'Custom alias', alias);
    await press(popup, 'Shorten');
    await popup.waitForFunction(() =>
      [...document.querySelectorAll('[role=alert]')].some(({ textContent }) =>
        textContent?.includes('This alias is taken'),
      ),
    );
    const suggestion = await popup.waitForSelector('[aria-label="Available aliases"] button');
    const chosen = await suggestion?.evaluate((button) => button.textContent);
    expect(chosen).toBeTruthy();
    await press(popup, `Use ${chosen}`);
    expect(await fieldValue(popup, 'Custom alias')).toBe(chosen);
    await press(popup, 'Shorten');
    await popup.waitForFunction(
      (wanted) => document.querySelector('output')?.textContent?.endsWith(wanted),
      {},
      `/${chosen}`,
    );
  });

  test('shows errors at their fields', async () => {
    const popup = await openForm(fixture);
    await fill(popup, 'Wait before redirect', '301');
    await fill(popup, 'Google Tag Manager ID', 'gtm-1');
    await press(popup, 'Shorten');
    await popup.waitForFunction(() => document.querySelectorAll('.issue').length === 2);
    expect(await issueOf(popup, 'Wait before redirect')).toContain('300');
    expect(await issueOf(popup, 'Google Tag Manager ID')).toContain('GTM-');
    expect(await issueOf(popup, 'Custom alias')).toBe('');
    // And focuses it, since the field may be out of view.
    await popup.waitForFunction(
      (field) => document.activeElement === field,
      {},
      await control(popup, 'Wait before redirect'),
    );
  });

  test('rejects a wait that isn’t a number instead of ignoring it', async () => {
    const popup = await openForm(fixture);
    const wait = await control(popup, 'Wait before redirect');
    await wait.focus();
    // Browsers accept this in a number field, but its value is empty.
    await popup.keyboard.type('1e');
    await fill(popup, 'Custom alias', 'two words');
    await press(popup, 'Shorten');
    await expect.poll(() => issueOf(popup, 'Wait before redirect')).toBe('Enter 0 to 300 seconds.');
    expect(await issueOf(popup, 'Custom alias')).not.toBe('');
  });

  test('shows the server’s validation errors at their fields', async () => {
    const popup = await openForm(fixture);
    await choose(popup, 'Custom');
    await fill(popup, 'Duration', '40000');
    await press(popup, 'Shorten');
    await expect
      .poll(() => issueOf(popup, 'Duration'))
      .toContain('The server doesn’t accept this value.');
  });

  test('shows at the expiry field that a date is in the past', async () => {
    const popup = await openForm(fixture);
    await choose(popup, 'Custom');
    await setDate(popup, '2020-01-01T00:00');
    await press(popup, 'Shorten');
    await expect.poll(() => issueOf(popup, 'Or on a date')).toBe('Choose a time in the future.');
  });
});

describe('a half-written form', () => {
  const draftTabs = () =>
    inWorker(fixture, async () => {
      const { formDrafts } = await chrome.storage.session.get('formDrafts');
      return Object.keys(formDrafts ?? {});
    });

  /** Closes the popup with a form that was not submitted. */
  async function leaveForm(): Promise<void> {
    const popup = await openForm(fixture);
    await fill(popup, 'Custom alias', 'half-written');
    await fill(popup, 'Title', 'My own title');
    await fill(popup, 'Password for visitors', 'open sesame');
    await popup.close();
  }

  test('survives closing the popup, except for its password', async () => {
    await leaveForm();
    const popup = await openPopup(fixture);
    expect(await fieldValue(popup, 'Custom alias')).toBe('half-written');
    expect(await fieldValue(popup, 'Title')).toBe('My own title');
    const title = await control(popup, 'Title');
    await expect.poll(() => title.evaluate((one) => one.checkVisibility())).toBe(true);
    expect(await fieldValue(popup, 'Password for visitors')).toBe('');
    expect(await issueOf(popup, 'Password for visitors')).toContain('Passwords aren’t saved.');
    const session = await inWorker(fixture, () => chrome.storage.session.get());
    expect(JSON.stringify(session)).not.toContain('open sesame');
  });

  test('is deleted when its request is sent', async () => {
    await leaveForm();
    const popup = await openPopup(fixture);
    expect(await draftTabs()).toHaveLength(1);
    await fill(popup, 'Password for visitors', 'again');
    await press(popup, 'Shorten');
    await expectStatus(popup, 'Short link copied');
    expect(await draftTabs()).toEqual([]);
    expect((await savedLinks(fixture))[0]).toMatchObject({
      title: 'My own title',
      hasPassword: true,
    });
  });

  test('of an existing link belongs to that link', async () => {
    const first = await openPopup(fixture);
    const shortUrl = await shownLink(first, 'Short link copied');
    await press(first, 'More');
    await fill(first, 'Title', 'Half a title');
    await first.close();
    const again = await openPopup(fixture);
    expect(await shownLink(again, 'Already shortened')).toBe(shortUrl);
    expect(await fieldValue(again, 'Title')).toBe('Half a title');
    await press(again, 'Save');
    await again.waitForSelector('.form', { hidden: true });
    expect(await draftTabs()).toEqual([]);
    expect(await savedLinks(fixture)).toMatchObject([{ shortUrl, title: 'Half a title' }]);
  });

  test('is deleted when its tab is closed', async () => {
    await leaveForm();
    expect(await draftTabs()).toHaveLength(1);
    const { page } = fixture;
    fixture.page = await fixture.chromium.openPage(fixture.site.origin);
    await page.close();
    await expect.poll(draftTabs).toEqual([]);
  });
});
