import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { findViolations } from '../../support/checks/accessibility.ts';
import {
  clickOn,
  expectStatus,
  notifications,
  openPopup,
  press,
  pressToLeave,
  savedLinks,
  saveSettings,
  shownLink,
  useFixture,
  useSlowServer,
} from '../../support/extension/extension-fixture.ts';
import { startAppServer } from '../../support/servers/app-server.ts';
import { bodyOf, createProxy, forward } from '../../support/servers/forward.ts';
import { freePort } from '../../support/servers/free-port.ts';

const fixture = useFixture();

describe('errors are shown with a remedy', () => {
  test('a server that is down, found by a retry once it is up', async () => {
    const port = await freePort();
    await saveSettings(fixture, { serverOrigin: `http://localhost:${port}` });
    const popup = await openPopup(fixture);
    await expectStatus(popup, 'No server is responding yet');
    const late = await startAppServer({ env: { PORT: String(port) } });
    try {
      await press(popup, 'Try now');
      await shownLink(popup, 'Short link copied');
    } finally {
      await late.stop();
    }
  });

  test('a fault of the popup itself', async () => {
    const popup = await openPopup(fixture);
    const shortUrl = await shownLink(popup, 'Short link copied');
    await popup.evaluate(() => {
      // The form of a link formats durations.
      const { NumberFormat } = Intl;
      Object.assign(Intl, {
        NumberFormat: undefined,
        repair: () => Object.assign(Intl, { NumberFormat }),
      });
    });
    await clickOn(popup, '.disclosure');
    await popup.waitForFunction(() =>
      document
        .querySelector('#app')
        ?.textContent?.endsWith('Try again. If it keeps happening, restart your browser.Try again'),
    );
    // The link is still there.
    expect(`http://${await popup.$eval('output', (output) => output.textContent)}`).toBe(shortUrl);
    await popup.evaluate(() => (Intl as unknown as { repair(): void }).repair());
    await press(popup, 'Try again');
    expect(await shownLink(popup, 'Short link copied')).toBe(shortUrl);
    await popup.waitForSelector('form.link-form');
  });

  test('a server that is not Curt, which never receives the URL', async () => {
    await saveSettings(fixture, {
      serverOrigin: fixture.site.origin.replace('localhost', '127.0.0.1'),
    });
    const before = fixture.site.asked.length;
    await expectStatus(await openPopup(fixture), 'Curt doesn’t respond at this address');
    expect(new Set(fixture.site.asked.slice(before))).toEqual(new Set(['/api/health']));
  });

  test('a proxy without its server: the request is sent once the server is back', async () => {
    let isBack = false;
    const proxy = createProxy(async (request, response) => {
      // As nginx responds: without CORS headers, so that the extension can't read the status.
      if (!isBack) return void response.writeHead(502).end('<h1>502 Bad Gateway</h1>');
      const body = await bodyOf(request);
      const {
        status,
        headers,
        body: answer,
      } = await forward(request, body, fixture.server.baseUrl);
      response.writeHead(status, headers).end(answer);
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    try {
      const { port } = proxy.address() as AddressInfo;
      await saveSettings(fixture, { serverOrigin: `http://localhost:${port}` });
      const popup = await openPopup(fixture);
      await expectStatus(popup, 'Curt doesn’t respond at this address');
      isBack = true;
      await press(popup, 'Try now');
      await shownLink(popup, 'Short link copied');
    } finally {
      proxy.closeAllConnections();
      await new Promise((resolve) => proxy.close(resolve));
    }
  });

  test('a slow server, with a button to finish in the background', async () => {
    const proxy = await useSlowServer(fixture);
    const popup = await openPopup(fixture);
    await popup.waitForFunction(() =>
      document.querySelector('[role=status]')?.textContent?.includes('hasn’t responded yet'),
    );
    expect(await findViolations(popup)).toEqual([]);
    await pressToLeave(popup, 'Finish in the background');
    await expect.poll(() => popup.isClosed()).toBe(true);
    proxy.release();
    await expect.poll(() => notifications(fixture)).toHaveLength(1);
    expect(await savedLinks(fixture)).toHaveLength(1);
  });

  test.each([
    ['chrome://version/', 'This page can’t be shortened'],
    ['about:blank', 'This page can’t be shortened'],
    ['data:text/html,<title>here</title>', 'This page can’t be shortened'],
  ])('%s can’t be shortened', async (address, words) => {
    await fixture.page.goto(address);
    const popup = await openPopup(fixture);
    await expectStatus(popup, words);
    expect(await popup.$('.link-form, .link-bar')).toBeNull();
  });

  test('an extension page can’t be shortened', async () => {
    const settings = await fixture.chromium.openExtensionPage('options.html');
    const popup = await fixture.chromium.clickToolbarButton(settings);
    await expectStatus(popup, 'This page can’t be shortened');
    await settings.close();
  });

  test('a page of the short domain can’t be shortened', async () => {
    await fixture.page.goto(`${fixture.server.baseUrl}/no-such-link`);
    await expectStatus(await openPopup(fixture), 'This is already a short link');
  });
});
