import type { Page } from 'puppeteer-core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findViolations } from '../../support/checks/accessibility.ts';
import {
  dialogIsGone,
  fieldValue,
  fill,
  inWorker,
  openPopup,
  press,
  saveSettings,
  saveTokens,
  shownLink,
  statusOf,
  stored,
  targetOf,
  useFixture,
} from '../../support/extension/extension-fixture.ts';
import { expectText } from '../../support/extension/links-page.ts';

/** In the extension's own worker, where the functions handed to `evaluate` run. */
declare const chrome: typeof import('wxt/browser').browser;

const NOT_SAVED = 'Your browser couldn’t save this link';
const DAMAGED = 'quarantined:accountTokens:1700000000000';

const fixture = useFixture();

/** Leaves fewer bytes than any item needs. */
function fillStorage(): Promise<void> {
  return inWorker(fixture, async () => {
    const { local } = chrome.storage;
    const quota = (local as unknown as { QUOTA_BYTES: number }).QUOTA_BYTES;
    const used = await local.getBytesInUse(null);
    const overhead = 'ballast'.length + '""'.length;
    await local.set({ ballast: 'x'.repeat(quota - used - overhead - 5) });
  });
}

function freeSpace(): Promise<void> {
  return inWorker(fixture, () => chrome.storage.local.remove('ballast'));
}

function put(items: object): Promise<void> {
  return inWorker(fixture, (given) => chrome.storage.local.set(given), items);
}

describe('full storage', () => {
  afterEach(freeSpace);

  test('still creates, shows and copies the link, with a warning', async () => {
    await fillStorage();
    const popup = await openPopup(fixture);
    const shortUrl = await shownLink(popup, 'Short link copied');
    expect(await statusOf(popup)).toContain(NOT_SAVED);
    expect(await targetOf(shortUrl)).toBe(fixture.page.url());
    expect(await stored(fixture)).not.toHaveProperty('accountTokens');
    await popup.close();

    const again = await openPopup(fixture);
    expect(await shownLink(again, 'Short link copied')).toBe(shortUrl);
    await again.close();

    // With free space, the created account is saved, and no other.
    await freeSpace();
    const last = await openPopup(fixture);
    expect(await shownLink(last, 'Short link copied')).toBe(shortUrl);
    expect(await statusOf(last)).not.toContain(NOT_SAVED);
    expect(Object.keys((await stored(fixture)).accountTokens)).toEqual([fixture.server.baseUrl]);
    await last.close();
  });

  test('leaves a setting unchanged, with an error', async () => {
    const options = await openOptions();
    await fillStorage();
    await options.click('[name=skipPopup]');
    await expectText(options, 'Curt’s storage is full. Nothing was changed.');
    expect(
      await options.$eval('[name=skipPopup]', (box) => (box as HTMLInputElement).checked),
    ).toBe(false);
    await options.select('[name=copyFormat]', 'markdown');
    await expect.poll(() => options.$eval('[name=copyFormat]', selected)).toBe('url');
    await fill(options, 'Server address', 'https://a-name-longer-than-the-other.curt.example');
    await press(options, 'Save');
    await press(options, 'Use it anyway');
    await expect.poll(() => fieldValue(options, 'Server address')).toBe(fixture.server.baseUrl);
    expect((await stored(fixture)).settings).toEqual({ serverOrigin: fixture.server.baseUrl });
    expect(await findViolations(options)).toEqual([]);
    await options.close();
  });
});

describe('the data on this computer', () => {
  let options: Page;

  beforeEach(async () => {
    await saveTokens(fixture, { [fixture.server.baseUrl]: 'curt_kept-token' });
    await put({
      [DAMAGED]: { reason: 'damaged', version: 1, value: 'curt_from-a-damaged-item' },
      loopbackNoticeShown: true,
      loopbackNoticeShown$: { v: 9 },
    });
    options = await openOptions();
  });
  afterEach(() => options.close());

  test('is measured', async () => {
    await expectText(options, '0 kB of 10 MB used.');
  });

  test('is reported if unreadable, and can be downloaded', async () => {
    await expectText(options, 'Unreadable data');
    expect(await rows()).toEqual([
      'Other dataWritten by a newer version of Curt.',
      'Sign-in keysDamaged, or not written by Curt.',
    ]);
    const file = await nextDownload(() => press(options, 'Download: Sign-in keys'));
    expect(file.name).toBe('curt-quarantined-accountTokens-1700000000000.json');
    expect(JSON.parse(file.text)).toEqual({
      reason: 'damaged',
      version: 1,
      value: 'curt_from-a-damaged-item',
    });

    await press(options, 'Delete…: Sign-in keys');
    await options.waitForSelector('dialog[open]');
    expect(await findViolations(options)).toEqual([]);
    await press(options, 'Delete');
    await expectText(options, 'Deleted.');
    expect(await stored(fixture)).not.toHaveProperty(DAMAGED);
    expect(await rows()).toEqual(['Other dataWritten by a newer version of Curt.']);

    await press(options, 'Delete…: Other data');
    await press(options, 'Delete');
    await expect.poll(rows).toEqual([]);
    expect(await stored(fixture)).toMatchObject({ loopbackNoticeShown: true });
  });

  test('keeps tokens and links when the settings are reset', async () => {
    await saveSettings(fixture, { serverOrigin: 'https://curt.example', skipPopup: true });
    await options.reload();
    const keys = await options.locator('::-p-aria(Use keyboard shortcuts)').waitHandle();
    // The focus must not move there.
    await keys.evaluate((box) => (box as HTMLInputElement).click());
    await press(options, 'Reset settings…');
    await options.waitForSelector('dialog[open]');
    await expectText(options, 'Sign-in keys and links are kept.');
    expect(await focusedText(options)).toBe('Cancel');
    await press(options, 'Reset');
    await expectText(options, 'Settings reset.');
    expect(await keys.evaluate((box) => (box as HTMLInputElement).checked)).toBe(true);
    expect(await fieldValue(options, 'Server address')).toBe('http://localhost:2878');
    await expect.poll(() => focusedText(options)).toBe('Reset settings…');
    expect(await stored(fixture)).toMatchObject({
      settings: {},
      accountTokens: { [fixture.server.baseUrl]: 'curt_kept-token' },
    });
  });

  test('is deleted except for the settings, after confirmation', async () => {
    await saveTokens(fixture, {});
    await shownLink(await openPopup(fixture), 'Short link copied');
    await options.bringToFront();
    await options.reload();
    await press(options, 'Delete all data…');
    await expectText(options, 'Your list of links');
    expect(await findViolations(options)).toEqual([]);
    await options.keyboard.press('Escape');
    await dialogIsGone(options);
    expect(Object.keys(await stored(fixture))).toContain('accountTokens');

    await press(options, 'Delete all data…');
    await press(options, 'Delete all data');
    await expectText(options, 'Sign-in keys and links deleted.');
    await expectText(options, 'No sign-in key yet.');
    expect(await stored(fixture)).toEqual({ settings: { serverOrigin: fixture.server.baseUrl } });
    expect(await inWorker(fixture, () => chrome.storage.session.get())).toEqual({});
  });

  function rows(): Promise<string[]> {
    return options.$$eval('[aria-labelledby=data-heading] .list-row', (items) =>
      items.map((item) => item.querySelector('span')?.textContent ?? ''),
    );
  }

  /** The next file that the page downloads, read before its URL is revoked. */
  async function nextDownload(act: () => Promise<void>): Promise<{ name: string; text: string }> {
    await options.evaluate(() => {
      const seen = globalThis as unknown as { download?: Promise<object> };
      addEventListener(
        'click',
        ({ target }) => {
          if (!(target instanceof HTMLAnchorElement)) return;
          const { download: name, href } = target;
          seen.download = fetch(href).then(async (file) => ({ name, text: await file.text() }));
        },
        { capture: true },
      );
      const { click } = HTMLAnchorElement.prototype;
      HTMLAnchorElement.prototype.click = function () {
        document.body.append(this);
        click.call(this);
        this.remove();
      };
    });
    await act();
    await options.waitForFunction(() => 'download' in globalThis);
    return options.evaluate(
      () =>
        (globalThis as unknown as { download: Promise<{ name: string; text: string }> }).download,
    );
  }
});

function selected(select: Element): string {
  return (select as HTMLSelectElement).value;
}

async function openOptions(): Promise<Page> {
  const options = await fixture.chromium.openExtensionPage('options.html');
  await options.waitForSelector('main');
  return options;
}

function focusedText(page: Page): Promise<string> {
  return page.evaluate(() => document.activeElement?.textContent ?? '');
}
