import { expect, test } from 'vitest';
import {
  openPopup,
  press,
  shownLink,
  useFixture,
} from '../../support/extension/extension-fixture.ts';
import { expectText } from '../../support/extension/links-page.ts';

const fixture = useFixture();

test('a popup that fails to render says so, with its link, and can be tried again', async () => {
  const popup = await openPopup(fixture);
  const shortUrl = await shownLink(popup, 'Short link copied');
  await popup.evaluate(() => {
    // Every component that shows a link uses it.
    const { replace } = String.prototype;
    String.prototype.replace = () => {
      String.prototype.replace = replace;
      throw new Error('broken by a test');
    };
  });
  await press(popup, 'QR code');
  await expectText(popup, 'Something went wrong in Curt');
  expect(`http://${await popup.$eval('output', (one) => one.textContent)}`).toBe(shortUrl);
  await press(popup, 'Try again');
  expect(await shownLink(popup, 'Short link copied')).toBe(shortUrl);
  await press(popup, 'QR code');
  await popup.waitForSelector('.qr-dark[d^=M]');
  await popup.close();
});
