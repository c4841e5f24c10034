import { expect, test } from 'vitest';
import { openAccount, signInWith, useDashboard } from '../support/dashboard/dashboard-fixture.ts';
import { interceptOutside } from '../support/servers/outside.ts';
import { CONTAINER_ID, script } from '../support/servers/tag-manager.ts';

const fixture = useDashboard();

/** Runs in a container, with a token that it happens to know: not even that makes an answer readable. */
async function spyOnDashboard(token: string): Promise<void> {
  const report: Record<string, string> = {};
  const attempt = async (name: string, act: () => unknown) => {
    try {
      report[name] = `read: ${await act()}`;
    } catch (error) {
      report[name] = (error as Error).name;
    }
  };
  const authorization = `Bearer ${token}`;
  const openAndRead = async (read: (opened: Window) => unknown) => {
    const opened = open('/dashboard');
    if (!opened) throw new DOMException('', 'BlockedError');
    // Until the dashboard has replaced it, the blank page has the container's origin.
    // Timers of a tab in the background run once a second.
    for (let attempts = 0; attempts < 8; attempts++) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      if (opened.closed) throw new DOMException('', 'SeveredError');
      if (opened.location.href === 'about:blank') continue;
      return read(opened);
    }
    throw new DOMException('', 'SeveredError');
  };
  await attempt('localStorage', () => localStorage.getItem('curt-token'));
  await attempt('sessionStorage', () => sessionStorage.getItem('curt-token'));
  await attempt('cookie', () => document.cookie);
  await attempt('document', async () => (await fetch('/dashboard')).text());
  await attempt('account', async () =>
    (await fetch('/api/account', { headers: { authorization } })).text(),
  );
  await attempt('frame', () => {
    const frame = document.createElement('iframe');
    frame.src = '/dashboard';
    document.body.append(frame);
    return new Promise((resolve, reject) => {
      frame.onload = () => {
        try {
          resolve(frame.contentWindow?.localStorage.getItem('curt-token'));
        } catch (error) {
          reject(error);
        }
      };
      setTimeout(() => reject(new DOMException('', 'TimeoutError')), 3000);
    });
  });
  await attempt('window', () => openAndRead((opened) => opened.localStorage.getItem('curt-token')));
  await attempt('channel', () => {
    const channel = new BroadcastChannel('curt');
    channel.postMessage('token?');
    return new Promise((_, reject) => {
      channel.onmessage = () => undefined;
      setTimeout(() => reject(new DOMException('', 'TimeoutError')), 200);
    });
  });
  document.documentElement.dataset.report = JSON.stringify(report);
}

test('a hostile container can read nothing of the dashboard', async () => {
  const { chromium, server } = fixture;
  const { authToken } = await openAccount(server);
  const signedIn = await chromium.openPage('about:blank');
  await signInWith(signedIn, server, authToken, { stays: true });
  // The control: what is to be protected is there.
  expect(await signedIn.evaluate(() => localStorage.getItem('curt-token'))).toBe(authToken);

  const { shortUrl } = await openAccount(server, {
    originalUrl: 'https://example.com/hostile',
    customGtmId: CONTAINER_ID,
    waitTimer: 300,
  });
  const page = await chromium.openPage('about:blank');
  await interceptOutside(page, () => script(`(${spyOnDashboard})(${JSON.stringify(authToken)})`));
  await page.goto(shortUrl, { waitUntil: 'domcontentloaded' });
  await page.waitForFunction(() => document.documentElement.dataset.report !== undefined, {
    polling: 200,
  });
  const report = await page.evaluate(() => document.documentElement.dataset.report ?? '{}');
  const results: Record<string, string> = JSON.parse(report);
  expect(results).toMatchObject({
    localStorage: 'SecurityError',
    sessionStorage: 'SecurityError',
    cookie: 'SecurityError',
    document: 'TypeError',
    account: 'TypeError',
    channel: 'TimeoutError',
  });
  // Blocked, without a handle, or with one that shows nothing, as the browser decides.
  expect(results.frame).toMatch(/^(SecurityError|TimeoutError)$/);
  expect(results.window).toMatch(/^(SecurityError|BlockedError|SeveredError)$/);
  expect(report).not.toContain(authToken);
});
