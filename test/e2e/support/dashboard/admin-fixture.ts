import type { Page } from 'puppeteer-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { type AdminClient, createAdminClient } from '../../../../shared/client/admin-methods.ts';
import { type Chromium, launchChromium } from '../browser/chromium.ts';
import { type RunningServer, startServer } from '../servers/server.ts';
import { press } from './dashboard-fixture.ts';

export const ADMIN_TOKEN = 'an-admin-token-of-32-characters!';

export type AdminFixture = { chromium: Chromium; server: RunningServer; admin: AdminClient };

/** A browser and a server with an administrator. Pages are closed after each test. */
export function useAdminPages(env: Record<string, string> = {}): AdminFixture {
  const fixture = {} as AdminFixture;
  beforeAll(async () => {
    [fixture.chromium, fixture.server] = await Promise.all([
      launchChromium(),
      startServer({ env: { ADMIN_TOKEN, ...env } }),
    ]);
    const { baseUrl } = fixture.server;
    fixture.admin = createAdminClient({ baseUrl, token: ADMIN_TOKEN });
  });
  afterAll(async () => {
    await fixture.chromium?.close();
    await fixture.server?.stop();
  });
  afterEach(async () => {
    for (const page of await fixture.chromium.browser.pages()) await page.close();
  });
  return fixture;
}

/** Opens an administrator's page, such as `/links`, signed in, in a language. */
export async function openAdminPage(
  { chromium, server }: AdminFixture,
  path: string,
  language = 'en',
): Promise<Page> {
  const page = await chromium.openPage('about:blank');
  await page.evaluateOnNewDocument(
    (tag, token) => {
      Object.defineProperty(navigator, 'languages', { get: () => [tag] });
      if (location.protocol === 'http:') sessionStorage.setItem('curt-admin-token', token);
    },
    language,
    ADMIN_TOKEN,
  );
  await page.goto(`${server.baseUrl}/dashboard/admin${path}`);
  await page.waitForSelector('nav');
  await page.waitForNetworkIdle();
  return page;
}

/** Confirms the dialog that is open, with a reason if it asks for one. */
export async function confirm(page: Page, button: string, reason?: string): Promise<void> {
  await page.waitForSelector('dialog[open]');
  if (reason !== undefined) await page.type('dialog[open] input[name="reason"]', reason);
  await press(page, button);
}

/** The text of the dialog that is open. */
export async function dialogText(page: Page): Promise<string> {
  const dialog = await page.waitForSelector('dialog[open]');
  return (await dialog?.evaluate((element) => element.textContent)) ?? '';
}
