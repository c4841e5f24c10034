import type { Page } from 'puppeteer-core';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  openPopup,
  press,
  saveSettings,
  shownLink,
  stored,
  useFixture,
} from '../../support/extension/extension-fixture.ts';
import { expectText } from '../../support/extension/links-page.ts';

const RULES = 'MAP nas.lan 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1';
const fixture = useFixture({ switches: [`--host-resolver-rules=${RULES}`] });

async function typeAddress(address: string): Promise<Page> {
  const page = await fixture.chromium.openExtensionPage('options.html');
  await page.waitForSelector('[name=server]');
  await page.$eval('[name=server]', (input) => (input as HTMLInputElement).select());
  await page.type('[name=server]', address);
  await press(page, 'Save');
  return page;
}

describe('a server that is used by its name in the network', () => {
  let origin: string;

  beforeEach(() => {
    origin = fixture.server.baseUrl.replace('localhost', 'nas.lan');
  });

  test('without a protocol is found without TLS, which is offered', async () => {
    const page = await typeAddress(new URL(origin).host);
    await expectText(page, `Curt does answer at ${origin}`);
    await press(page, 'Use http');
    await expect.poll(async () => (await stored(fixture)).settings.serverOrigin).toBe(origin);
    await page.close();
  });

  test('is connected, but its links are said to work on its own computer only', async () => {
    const page = await typeAddress(origin);
    await expectText(page, 'Connected to Curt');
    await expectText(page, `Set BASE_URL on the server to ${origin}`);
    await page.waitForSelector('.test-result.error');
    await page.close();
    await saveSettings(fixture, { serverOrigin: origin });
    const popup = await openPopup(fixture);
    const shortUrl = await shownLink(popup, 'Short link copied');
    expect(new URL(shortUrl).origin).toBe(fixture.server.baseUrl);
    await expectText(popup, `Set BASE_URL on the server to ${origin}`);
    await popup.close();
  });
});

test('a folder in the address is named as the cause if Curt is not there', async () => {
  const { origin } = new URL(fixture.site.origin);
  const page = await typeAddress(`${origin.replace('localhost', '127.0.0.1')}/links/`);
  await expectText(page, 'without /links: a Curt server needs a host of its own');
  await page.close();
  const right = await typeAddress(`${fixture.server.baseUrl}/dashboard`);
  await expectText(right, 'Connected to Curt');
  expect(await right.$eval('main', (main) => main.textContent)).not.toContain('a host of its own');
  await right.close();
});

test('an address with TLS that doesn’t answer says that a certificate must be imported', async () => {
  const page = await typeAddress(fixture.site.origin.replace('http:', 'https:'));
  await expectText(page, 'import that certificate into your browser or system');
  await page.close();
});
