import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { collectDownloads, type Downloads } from '../../support/browser/downloads.ts';
import { readQr } from '../../support/checks/read-qr.ts';
import {
  fill,
  openForm,
  press,
  shownLink,
  useFixture,
} from '../../support/extension/extension-fixture.ts';

const WAIT_MS = 10_000;

const fixture = useFixture();
let downloads: Downloads;
let aliasCount = 0;

beforeAll(async () => {
  downloads = await collectDownloads(fixture.chromium.browser);
});
afterAll(() => downloads?.stop());

describe('the QR code of a link', () => {
  let popup: Page;
  let alias: string;
  let shortUrl: string;

  beforeEach(async () => {
    aliasCount += 1;
    alias = `poster-${aliasCount}`;
    popup = await openForm(fixture);
    await fill(popup, 'Custom alias', alias);
    await press(popup, 'Create link');
    await popup.waitForFunction(
      (name) => document.querySelector('output')?.textContent?.endsWith(name),
      { timeout: WAIT_MS },
      `/${alias}`,
    );
    shortUrl = await shownLink(popup, 'Short link copied');
    await press(popup, 'QR code');
    await popup.waitForSelector('.qr-dark[d^="M"]');
  });

  test('is saved as a scannable PNG, sharp and large', async () => {
    await press(popup, 'Save as PNG');
    const picture = await downloads.take(`${alias}-qr.png`);
    const { text, side, isSharp } = await readQr(popup, picture);
    expect(text).toBe(shortUrl);
    expect(side).toBeGreaterThanOrEqual(1024);
    expect(isSharp).toBe(true);
  });

  test('is saved as a scannable SVG', async () => {
    await press(popup, 'Save as SVG');
    const picture = await downloads.take(`${alias}-qr.svg`);
    expect((await readQr(popup, picture, 'image/svg+xml')).text).toBe(shortUrl);
  });

  test('is copied as an image', async () => {
    await press(popup, 'Copy image');
    await popup.waitForFunction(
      () => document.body.textContent?.includes('image is in your clipboard'),
      { timeout: WAIT_MS },
    );
    const picture = await fixture.chromium.readClipboardPicture();
    expect((await readQr(fixture.page, picture)).text).toBe(shortUrl);
  });
});
