import type { Page } from 'puppeteer-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { createClient } from '../../../../shared/client.ts';
import type { CreatedLinkRecord } from '../../../../shared/links/link-record.ts';
import type { ShortenRequest } from '../../../../shared/links/shorten-request.ts';
import { dataOf } from '../../../support/data-of.ts';
import type { Chromium } from '../browser/chromium.ts';
import { click } from '../browser/click.ts';
import { openSharedChromium } from '../browser/shared-chromium.ts';
import { type AppServer, startAppServer } from '../servers/app-server.ts';

export type DashboardFixture = { chromium: Chromium; server: AppServer };

/** A browser and a server for the tests of a file. Pages are closed after each test. */
export function useDashboard(env: Record<string, string> = {}): DashboardFixture {
  const fixture = {} as DashboardFixture;
  let kept: Page;
  beforeAll(async () => {
    [fixture.chromium, fixture.server] = await Promise.all([
      openSharedChromium(),
      startAppServer({ env }),
    ]);
    // The process of the server's pages would end with the last one.
    kept = await fixture.chromium.openPage(`${fixture.server.baseUrl}/api/health`);
  });
  afterAll(async () => {
    await fixture.chromium?.close();
    await fixture.server?.stop();
  });
  afterEach(() => fixture.chromium?.closePages(kept));
  return fixture;
}

/** Creates a link without a token, which opens an account. Its token is `authToken`. */
export async function openAccount(
  { baseUrl }: Pick<AppServer, 'baseUrl'>,
  request: ShortenRequest = { originalUrl: 'https://example.com/page' },
): Promise<CreatedLinkRecord> {
  return dataOf(await createClient({ baseUrl }).createLink({ body: request }));
}

/** Opens the sign-in with a token in the address and confirms it. Then the first page is shown. */
export async function signInWith(
  page: Page,
  { baseUrl }: Pick<AppServer, 'baseUrl'>,
  token: string,
  { stays = false } = {},
): Promise<void> {
  await page.goto(`${baseUrl}/dashboard#${token}`);
  // While the dashboard is open already, it learns of the token a moment later.
  await page.waitForFunction(() => location.hash === '');
  if (stays) await click(page, '#stay-signed-in');
  await press(page, 'Sign in');
  await page.waitForSelector('nav');
}

/** Opens a tab that is signed in to a new account with a link. @param path below `/dashboard` */
export async function openSignedIn(
  { chromium, server }: DashboardFixture,
  { path, request }: { path?: string; request?: ShortenRequest } = {},
) {
  const link = await openAccount(server, request);
  const page = await chromium.openPage('about:blank');
  const complaints = collectComplaints(page);
  await signInWith(page, server, link.authToken);
  if (path !== undefined) await page.goto(`${server.baseUrl}/dashboard${path}`);
  return { page, link, token: link.authToken, complaints, client: createClient(server) };
}

/** Clicks the button with this accessible name. */
export async function press(page: Page, name: string): Promise<void> {
  await click(page, `::-p-aria([name="${name}"][role="button"])`);
}

/** Clicks the link with this accessible name. */
export async function follow(page: Page, name: string): Promise<void> {
  await click(page, `::-p-aria([name="${name}"][role="link"])`);
}

/** The text of the page's heading. */
export function headingOf(page: Page): Promise<string | undefined> {
  return page.evaluate(() => document.querySelector('h1')?.textContent);
}

export function textOf(page: Page): Promise<string> {
  return page.evaluate(() => document.body.innerText);
}

/** Collects what the browser complains about, such as violations of the content security policy. */
export function collectComplaints(page: Page): string[] {
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warn'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  return complaints;
}
