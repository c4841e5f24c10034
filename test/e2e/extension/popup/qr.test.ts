import { join } from 'node:path';
import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Downloads } from '../../support/browser/downloads.ts';
import { findFaults } from '../../support/checks/accessibility.ts';
import { readQr } from '../../support/checks/read-qr.ts';
import {
  clickOn,
  control,
  fill,
  issueOf,
  openForm,
  press,
  shownLink,
  useFixture,
} from '../../support/extension/extension-fixture.ts';

const fixture = useFixture();
let downloads: Downloads;
let aliasCount = 0;

beforeAll(async () => {
  downloads = await fixture.chromium.collectDownloads();
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
    await press(popup, 'Shorten');
    await popup.waitForFunction(
      (name) => document.querySelector('output')?.textContent?.endsWith(name),
      {},
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

  test('is scannable in a color, with a wide margin and a logo, as PNG and as SVG', async () => {
    await clickOn(popup, '.qr-options summary');
    await enterColor('#0b4f9e');
    await popup.select('[name=qr-margin]', '8');
    await popup.select('[name=qr-size]', '2048');
    await popup.select('[name=qr-logo]', 'brand');
    await popup.waitForSelector('.qr image');
    expect(await findFaults(popup)).toEqual([]);
    await press(popup, 'Save as PNG');
    const png = await readQr(popup, await downloads.take(`${alias}-qr.png`));
    expect(png).toMatchObject({ text: shortUrl, isSharp: false });
    expect(png.side).toBeGreaterThanOrEqual(2048);
    await press(popup, 'Save as SVG');
    const svg = await downloads.take(`${alias}-qr.svg`);
    expect(svg.toString()).toContain('fill="#0b4f9e"');
    expect((await readQr(popup, svg, 'image/svg+xml')).text).toBe(shortUrl);

    await popup.select('[name=qr-logo]', 'own');
    await popup.waitForSelector('.qr image', { hidden: true });
    const file = await popup.waitForSelector('input[type=file]');
    await file?.uploadFile(join(import.meta.dirname, '../../../../shared/icon.svg'));
    await popup.waitForSelector('.qr image');
    await file?.uploadFile(import.meta.filename);
    await expect.poll(() => issueOf(popup, 'Image file')).toContain('couldn’t be read');
  });

  test('keeps its color if another one is too light for scanners', async () => {
    await clickOn(popup, '.qr-options summary');
    await enterColor('#ffee00');
    await expect.poll(() => issueOf(popup, 'Color')).toContain('Too light for scanners');
    expect(await popup.$eval('.qr-dark', (path) => path.getAttribute('fill'))).toBe('#000000');
  });

  async function enterColor(color: string): Promise<void> {
    const field = await control(popup, 'Color');
    await field.evaluate((input, value) => {
      input.value = value;
      input.dispatchEvent(new Event('input', { bubbles: true }));
    }, color);
  }

  test('is copied as an image', async () => {
    await press(popup, 'Copy image');
    await popup.waitForFunction(() =>
      document.body.textContent?.includes('image is in your clipboard'),
    );
    const picture = await fixture.chromium.readClipboardPicture();
    expect((await readQr(fixture.page, picture)).text).toBe(shortUrl);
  });
});
