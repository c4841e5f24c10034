import { afterAll, beforeAll } from 'vitest';
import { launchFirefoxWithExtension } from '../browser/firefox.ts';
import type { Firefox } from '../browser/firefox-driver.ts';
import { type AppServer, startAppServer } from '../servers/app-server.ts';
import { type Site, startSite } from '../servers/site.ts';

/** Finds the field for the server's address on a page of the extension. */
export const ADDRESS_FIELD = `return document.querySelector('[name="server"]')`;

export type FirefoxFixture = { firefox: Firefox; server: AppServer; site: Site };

/** Firefox with the extension, a server that it uses, and a website, for all tests of a file. */
export function useFirefox(): FirefoxFixture {
  const fixture = {} as FirefoxFixture;
  beforeAll(async () => {
    const [firefox, server, site] = await Promise.all([
      launchFirefoxWithExtension(),
      startAppServer(),
      startSite(),
    ]);
    Object.assign(fixture, { firefox, server, site });
    const options = await firefox.openTab('options.html');
    await options.waitFor(ADDRESS_FIELD);
    await options.type('[name="server"]', server.baseUrl);
    await options.press('Save');
    await options.waitFor(`return document.body.textContent.includes('Saved')`);
  });
  afterAll(async () => {
    await fixture.firefox?.close();
    await fixture.server?.stop();
    await fixture.site?.stop();
  });
  return fixture;
}

/** Where a short link leads. */
export async function redirectOf(shortUrl: string): Promise<string | null> {
  return (await fetch(shortUrl, { redirect: 'manual' })).headers.get('location');
}
