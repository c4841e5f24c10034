import { describe, expect, test } from 'vitest';
import type { browser } from 'wxt/browser';
import { createClient } from '../../../../shared/client.ts';
import { openParts } from '../../support/checks/rules-editor.ts';
import {
  choose,
  control,
  expectStatus,
  fieldValue,
  fill,
  inWorker,
  issueOf,
  openForm,
  openPopup,
  press,
  savedLinks,
  setDate,
  useFixture,
} from '../../support/extension/extension-fixture.ts';

/** In the extension's own worker, where the functions handed to `evaluate` run. */
declare const chrome: typeof browser;

const fixture = useFixture();

describe('the form of a new link', () => {
  test('creates a link with every field of the API', async () => {
    const popup = await openForm(fixture);
    const alias = 'form';
    const title = await fixture.page.title();
    await expect.poll(() => fieldValue(popup, 'Private title')).toBe(title);
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
      tags: ['work'],
      maxVisits: 5,
      customGtmId: 'GTM-ABC1234',
      originalUrl: fixture.page.url(),
    });
    const days = (Date.parse(link?.expiresAt ?? '') - Date.now()) / 86_400_000;
    expect(days).toBeCloseTo(3, 1);
    // The password protects the link: the page shows a form and nothing of the target.
    const answer = await fetch(`${fixture.server.baseUrl}/${alias}`, { redirect: 'manual' });
    expect(answer.status).toBe(200);
    expect(await answer.text()).not.toContain(fixture.page.url());
  });

  test('shows what is used most first, folds the rest to lines that say what is set', async () => {
    const popup = await openPopup(fixture);
    await expectStatus(popup, 'Short link copied');
    await press(popup, 'More');
    const seen = () =>
      popup.$$eval('.link-form :is(label, legend, summary)', (labels) =>
        labels.filter((one) => one.checkVisibility()).map((one) => one.textContent?.trim()),
      );
    const fields = ['Destination', 'Custom alias', 'Title', 'Private title', 'Tags'];
    await expect.poll(seen).toEqual([...fields, 'When', 'Protection', 'Advanced']);
    const summaries = () =>
      popup.$$eval('.link-fields > details > summary', (all) => all.map((one) => one.textContent));
    await openParts(popup);
    await choose(popup, '7 days');
    await fill(popup, 'Visit limit', '100');
    await fill(popup, 'Wait before redirect', '7');
    const set = ['WhenExpires after 7 days · 100 visits', 'ProtectionWait before redirect: 7 sec'];
    await expect.poll(summaries).toEqual([...set, 'Advanced']);
  });

  test('opens the part of an invalid field', async () => {
    const popup = await openForm(fixture);
    await fill(popup, 'Wait before redirect', '301');
    await popup.$$eval('.advanced', (all) => {
      for (const part of all) part.removeAttribute('open');
    });
    await press(popup, 'Shorten');
    const wait = await control(popup, 'Wait before redirect');
    await popup.waitForFunction((field) => document.activeElement === field, {}, wait);
    expect(await wait.evaluate((field) => field.checkVisibility())).toBe(true);
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
    const taken = await createClient(fixture.server).createLink({
      body: { originalUrl: 'https://example.com/', customAlias: alias },
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
    await expect.poll(() => fieldValue(popup, 'Custom alias')).toBe(chosen);
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
    await expect.poll(() => issueOf(popup, 'Wait before redirect')).toBe('Enter a number.');
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
});

test('a half-written form survives closing the popup, except for its password', async () => {
  const before = await openForm(fixture);
  await fill(before, 'Custom alias', 'half-written');
  await fill(before, 'Title', 'My own title');
  await fill(before, 'Password for visitors', 'open sesame');
  await before.close();
  const popup = await openPopup(fixture);
  await expect.poll(() => fieldValue(popup, 'Custom alias')).toBe('half-written');
  await expect.poll(() => fieldValue(popup, 'Title')).toBe('My own title');
  const title = await control(popup, 'Title');
  await expect.poll(() => title.evaluate((one) => one.checkVisibility())).toBe(true);
  expect(await fieldValue(popup, 'Password for visitors')).toBe('');
  await expect
    .poll(() => issueOf(popup, 'Password for visitors'))
    .toContain('Passwords aren’t saved.');
  const session = await inWorker(fixture, () => chrome.storage.session.get());
  expect(JSON.stringify(session)).not.toContain('open sesame');
});
