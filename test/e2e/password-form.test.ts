import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'puppeteer-core';
import { expect, onTestFinished, test } from 'vitest';
import { createClient } from '../../shared/client.ts';
import { dataOf } from '../support/data-of.ts';
import { launchChromium } from './support/browser/chromium.ts';
import { endBrowser } from './support/browser/close-all.ts';
import { launchFirefox } from './support/browser/plain-firefox.ts';
import { startAppServer } from './support/servers/app-server.ts';

/** Browsers send no Sec-Fetch-Site to these over plain HTTP, as they do to localhost. */
const HOSTS = ['s.test', 'evil.test'];
const FORMS = 6;

const BROWSERS: Record<string, () => Promise<Browser>> = {
  Chromium: async () => {
    const rules = HOSTS.map((host) => `MAP ${host} 127.0.0.1`);
    const switches = [`--host-resolver-rules=${rules.join()}, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1`];
    return (await launchChromium({ switches })).browser;
  },
  Firefox: () => launchFirefox({ 'network.dns.localDomains': HOSTS.join() }),
};

test.each(Object.keys(BROWSERS))(
  'in %s, hidden forms of another site lock nobody out of a password page over plain HTTP',
  async (name) => {
    const browser = await BROWSERS[name]?.();
    if (!browser) throw new Error(`there is no ${name}`);
    onTestFinished(() => endBrowser(browser));
    const server = await startAppServer();
    onTestFinished(async () => void (await server.stop()));
    const { port } = new URL(server.baseUrl);
    const site = createServer(({ url = '' }, response) => {
      const isForms = url.startsWith('/forms');
      const action = `http://s.test:${port}/locked`;
      response.setHeader('referrer-policy', url.endsWith('null') ? 'no-referrer' : 'origin');
      response.setHeader('content-type', 'text/html').end(isForms ? formsPage(action) : 'target');
    });
    await once(site.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => {
      site.closeAllConnections();
      site.close();
    });
    const evil = `http://evil.test:${(site.address() as AddressInfo).port}`;
    const client = createClient({ baseUrl: server.baseUrl });
    const link = { originalUrl: `${evil}/target`, customAlias: 'locked', password: 'secret' };
    dataOf(await client.createLink({ body: link }));

    const page = await browser.newPage();
    for (const path of ['/forms', '/forms-null']) {
      await page.goto(evil + path);
      await page.waitForFunction((forms) => document.title === `${forms}`, {}, FORMS);
    }
    await page.goto(`http://s.test:${port}/locked`);
    await page.type('#password', 'secret');
    await Promise.all([page.waitForNavigation(), page.click('button[type=submit]')]);
    expect(page.url()).toBe(`${evil}/target`);
  },
  120_000,
);

/** Sends a wrong password from hidden frames, and counts them in its title. */
function formsPage(action: string): string {
  return `<!doctype html><title></title><script>
    let done = 0;
    for (let form = 0; form < ${FORMS}; form++) {
      const frame = document.createElement('iframe');
      frame.name = 'frame' + form;
      frame.hidden = true;
      document.body.append(frame);
      const sent = document.createElement('form');
      Object.assign(sent, { method: 'post', action: '${action}', target: frame.name });
      sent.innerHTML = '<input name="password" value="wrong">';
      document.body.append(sent);
      frame.onload = () => { document.title = ++done; };
      sent.submit();
    }
  </script>`.replace('<script>', '<body><script>');
}
