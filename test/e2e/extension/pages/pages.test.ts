import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ChromiumWithExtension } from '../../support/browser/chromium.ts';
import { openSharedChromiumWithExtension } from '../../support/browser/shared-chromium.ts';
import { findColorFaults, findFaults } from '../../support/checks/accessibility.ts';
import { findLayoutFaults } from '../../support/checks/layout-faults.ts';
import { openAccount } from '../../support/dashboard/dashboard-fixture.ts';
import { clickOn, dialogIsGone } from '../../support/extension/extension-fixture.ts';
import { savedLink } from '../../support/extension/links-page.ts';
import {
  type LocalizedExtension,
  localizedExtension,
} from '../../support/extension/localized-extension.ts';
import { type AppServer, startAppServer } from '../../support/servers/app-server.ts';
import { freePort } from '../../support/servers/free-port.ts';

/** In the extension's own worker and pages, where the functions handed to `evaluate` run. */
declare const chrome: typeof import('wxt/browser').browser;

/** 1280 px wide at 400 % zoom: https://www.w3.org/TR/WCAG22/#reflow */
const NARROW = { width: 320, height: 700 };
const WIDE = { width: 1000, height: 800 };

/** Storage that makes the settings page show everything at once. */
const FULL = (origin: string) => ({
  settings: { serverOrigin: origin },
  accountTokens: { [origin]: 'curt_here-and-now', 'https://other.example': 'curt_elsewhere' },
  previousTokens: { [origin]: [{ token: 'curt_before', replacedAt: '2030-01-31T12:00:00.000Z' }] },
  'quarantined:savedLinks:1': { reason: 'newer' },
  loopbackNoticeShown: 'nonsense',
});

/** Every kind of link, with words that can't be broken. */
const LISTED = (serverOrigin: string) => ({
  settings: { serverOrigin },
  savedLinks: {
    [serverOrigin]: [
      savedLink('gone', { expiresAt: '2020-01-31T12:00:00.000Z', title: 'Gone' }),
      savedLink('going', { expiresAt: '2040-01-31T12:00:00.000Z', hasPassword: true }),
      savedLink('waiting', { waitTimer: 7, title: `A ${'very'.repeat(60)} long title` }),
      savedLink('long', { shortUrl: `https://curt.example/${'long'.repeat(16)}` }),
    ].map((link) => ({ ...link, serverOrigin, requestedUrl: link.originalUrl })),
  },
});

describe.each(['en', 'ar'])('in %s, wide and narrow', (locale) => {
  let extension: LocalizedExtension | undefined;
  let chromium: ChromiumWithExtension;
  let server: AppServer;
  let page: Page;

  beforeAll(async () => {
    extension = locale === 'en' ? undefined : await localizedExtension(locale);
    [chromium, server] = await Promise.all([
      openSharedChromiumWithExtension(extension?.folder),
      startAppServer(),
    ]);
  });
  afterAll(async () => {
    await chromium?.close();
    await server?.stop();
    await extension?.remove();
  });

  async function open(path: string, stored: object): Promise<void> {
    await chromium.worker.evaluate(async (items) => {
      await chrome.storage.local.clear();
      await chrome.storage.local.set(items);
    }, stored);
    page = await chromium.openExtensionPage(path);
    await page.waitForSelector('main');
  }

  async function expectAccessible(): Promise<void> {
    await page.setViewport(NARROW);
    expect(await findLayoutFaults(page)).toEqual([]);
    await page.setViewport(WIDE);
    // axe finds the same in every language and width.
    expect(await (locale === 'en' ? findFaults : findLayoutFaults)(page)).toEqual([]);
  }

  describe('the settings', () => {
    beforeEach(async () => {
      await open('options.html', FULL(server.baseUrl));
      await expect.poll(() => page.$$eval('.list-row', (rows) => rows.length)).toBe(4);
    });

    test('are accessible and fit with all kinds of content', async () => {
      await expectAccessible();
      expect(await findColorFaults(page)).toEqual([]);
      await page.close();
    });

    test('are accessible and fit with the token shown as text and as a QR code', async () => {
      await clickOn(page, '.field:has([name=token]) + .buttons .button');
      await page.waitForFunction(
        () => document.querySelector<HTMLInputElement>('[name=token]')?.value[0] === 'c',
      );
      await expectAccessible();
      await clickOn(page, '[aria-expanded]');
      await page.waitForSelector('.qr-dark[d^=M]');
      await expectAccessible();
      await page.close();
    });

    test('are accessible and fit with errors', async () => {
      await page.type('[name=other-token]', 'short');
      await page.$eval('[name=other-token]', (input) => input.closest('form')?.requestSubmit());
      await page.waitForSelector('.issue');
      await retype('[name=server]', `http://localhost:${await freePort()}`);
      await page.$eval('form .button.primary', (one) => (one as HTMLElement).click());
      await page.waitForSelector('.test-result.error');
      await expectAccessible();
      await page.close();
    });

    test('confirm with an accessible dialog that fits', async () => {
      await page.$$eval('details', (all) => {
        for (const one of all) one.open = true;
      });
      for (const button of await page.$$('.button.danger')) {
        await button.focus();
        await page.keyboard.press('Enter');
        await page.waitForSelector('dialog[open]');
        await expectAccessible();
        await page.keyboard.press('Escape');
        await dialogIsGone(page);
        const isFocused = () => button.evaluate((one) => document.activeElement === one);
        await expect.poll(isFocused).toBe(true);
      }
      await page.close();
    });
  });

  describe('Getting started', () => {
    beforeEach(() => open('welcome.html', { settings: { serverOrigin: server.baseUrl } }));

    test('is accessible and fits, before and after the first link', async () => {
      await expectAccessible();
      await page.focus('[name=page]');
      await page.keyboard.press('Enter');
      await page.waitForSelector('.short-url');
      await page.locator('.copy-line .button').click();
      await expectAccessible();
      await page.close();
    });

    test('are accessible and fit with what is wrong', async () => {
      await retype('[name=server]', `http://localhost:${await freePort()}`);
      await page.keyboard.press('Enter');
      await page.waitForSelector('.test-result.error');
      await page.focus('[name=page]');
      await page.keyboard.press('Enter');
      await page.waitForSelector('[name=server][aria-invalid]');
      await expectAccessible();
      await page.close();
    });
  });

  describe('the list of links', () => {
    test('is accessible and fits when empty', async () => {
      await open('links.html', {});
      await expectAccessible();
      await page.close();
    });

    test('is accessible and fits with every kind of link', async () => {
      await open('links.html', LISTED(server.baseUrl));
      await expect.poll(() => page.$$eval('.row', (rows) => rows.length)).toBe(4);
      await page.waitForSelector('.tag-field');
      await expectAccessible();
      expect(await findColorFaults(page)).toEqual([]);
      await page.type('[type=search]', 'nowhere');
      await page.waitForSelector('.empty-state-title');
      await expectAccessible();
      await page.close();
    });

    test('shows an accessible QR code', async () => {
      await open('links.html', LISTED(server.baseUrl));
      await page.waitForSelector('.row [data-control=menu]');
      await page.focus('.row [data-control=menu]');
      await page.keyboard.press('q');
      await page.waitForSelector('dialog[open] .qr-dark[d^=M]');
      await expectAccessible();
      await page.close();
    });

    test('imports files accessibly and lists their errors', async () => {
      const { baseUrl: serverOrigin } = server;
      const { authToken } = await openAccount(server);
      const accountTokens = { [serverOrigin]: authToken };
      await open('links.html', { settings: { serverOrigin }, accountTokens });
      await page.locator('.head [aria-haspopup=menu]').click();
      await page.waitForSelector('[role=menuitem]');
      await expectAccessible();
      await page.keyboard.press('Escape');
      const file = join(tmpdir(), `curt-bad-links-${process.pid}.csv`);
      await writeFile(
        file,
        'shortUrl,originalUrl,created\nhttps://curt.example/a,nothing,2030-01-31T12:00:00Z\n',
      );
      await page.locator('.head [aria-haspopup=menu]').click();
      await page.locator('[role=menuitem]:last-child').click();
      await (await page.waitForSelector('input[type=file]'))?.uploadFile(file);
      await page.waitForSelector('.import-issue');
      await expectAccessible();
      await page.close();
      await rm(file);
    });
  });

  async function retype(selector: string, text: string): Promise<void> {
    await page.$eval(selector, (input) => {
      (input as HTMLInputElement).focus();
      (input as HTMLInputElement).select();
    });
    await page.keyboard.type(text);
  }
});
