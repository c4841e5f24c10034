import type { Page } from 'puppeteer-core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findViolations } from '../../support/checks/accessibility.ts';
import {
  clickOn,
  dialogIsGone,
  fieldValue,
  fill,
  inWorker,
  openPopup,
  press,
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

/** As on a full disk: the browser refuses to write. */
function breakStorage(): Promise<void> {
  return inWorker(fixture, () => {
    const { local } = chrome.storage;
    const { set } = local;
    const broken = globalThis as unknown as { mend(): void };
    broken.mend = () => Object.assign(local, { set });
    Object.assign(local, {
      set() {
        throw new Error('No space left');
      },
    });
  });
}

function mendStorage(): Promise<void> {
  return inWorker(fixture, () => (globalThis as unknown as { mend(): void }).mend());
}

function put(items: object): Promise<void> {
  return inWorker(fixture, (given) => chrome.storage.local.set(given), items);
}

describe('a disk that can’t be written', () => {
  afterEach(mendStorage);

  test('still creates, shows and copies the link, with a warning', async () => {
    await breakStorage();
    const popup = await openPopup(fixture);
    const shortUrl = await shownLink(popup, 'Short link copied');
    await expect.poll(() => statusOf(popup)).toContain(NOT_SAVED);
    expect(await targetOf(shortUrl)).toBe(fixture.page.url());
    expect(await stored(fixture)).not.toHaveProperty('accountTokens');
    await popup.close();

    const again = await openPopup(fixture);
    expect(await shownLink(again, 'Short link copied')).toBe(shortUrl);
    await again.close();

    // Once it can be written, the created account is saved, and no other.
    await mendStorage();
    const last = await openPopup(fixture);
    expect(await shownLink(last, 'Short link copied')).toBe(shortUrl);
    expect(await statusOf(last)).not.toContain(NOT_SAVED);
    expect(Object.keys((await stored(fixture)).accountTokens)).toEqual([fixture.server.baseUrl]);
    await last.close();
  });

  test('leaves a setting unchanged, with an error', async () => {
    const options = await openOptions();
    await breakStorage();
    await clickOn(options, '[name=skipPopup]');
    await expectText(options, 'Your browser couldn’t save this. Nothing was changed.');
    const isOn = () =>
      options.$eval('[name=skipPopup]', (box) => (box as HTMLInputElement).checked);
    await expect.poll(isOn).toBe(false);
    await options.select('[name=copyFormat]', 'markdown');
    await expect.poll(() => options.$eval('[name=copyFormat]', selected)).toBe('url');
    await fill(options, 'Server address', 'https://other.curt.example');
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

  test('is reported if unreadable, and can be downloaded', async () => {
    await expectText(options, 'Unreadable data');
    await expect
      .poll(rows)
      .toEqual([
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
    await expect.poll(rows).toEqual(['Other dataWritten by a newer version of Curt.']);

    await press(options, 'Delete…: Other data');
    await press(options, 'Delete');
    await expect.poll(rows).toEqual([]);
    await expect.poll(() => stored(fixture)).toMatchObject({ loopbackNoticeShown: true });
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
    const { baseUrl: serverOrigin } = fixture.server;
    await expect.poll(() => stored(fixture)).toEqual({ settings: { serverOrigin } });
    await expect.poll(() => inWorker(fixture, () => chrome.storage.session.get())).toEqual({});
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
