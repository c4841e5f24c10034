import type { Page } from 'puppeteer-core';
import { expect, test } from 'vitest';
import {
  openPopup,
  press,
  shownLink,
  useFixture,
} from '../../support/extension/extension-fixture.ts';

const fixture = useFixture();

/** An element's computed style, and what it would be with `value`. */
function styleOf(page: Page, selector: string, property: string, value: string) {
  return page.$eval(
    selector,
    (element, name, expected) => {
      const is = getComputedStyle(element).getPropertyValue(name);
      (element as HTMLElement).style.setProperty(name, expected);
      const shouldBe = getComputedStyle(element).getPropertyValue(name);
      return { is, shouldBe };
    },
    property,
    value,
  );
}

// A bundler may change the order of style sheets.
test.each(['options', 'links', 'statistics', 'welcome'])(
  'the %s page’s own styles override the shared ones',
  async (name) => {
    const page = await fixture.chromium.openExtensionPage(`${name}.html`);
    await page.waitForSelector('main');
    const ground = await styleOf(page, 'body', 'background-color', 'var(--color-ground)');
    expect(ground.is).toBe(ground.shouldBe);
    await page.close();
  },
);

test('the popup’s own styles override the shared ones, and its QR code is styled', async () => {
  const popup = await openPopup(fixture);
  await shownLink(popup, 'Short link copied');
  const color = await styleOf(popup, '.bar .square', 'color', 'var(--color-muted)');
  expect(color.is).toBe(color.shouldBe);
  await press(popup, 'QR code');
  await popup.waitForSelector('.qr-dark[d^="M"]');
  const width = await styleOf(popup, '.qr', 'width', '14rem');
  expect(width.is).toBe(width.shouldBe);
});
