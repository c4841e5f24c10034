import type { Page } from 'puppeteer-core';
import { beforeAll } from 'vitest';
import { ADMIN_ENDPOINTS } from '../../../../shared/api/admin-endpoints.ts';
import { type AdminClient, createApiClient } from '../../../../shared/api/client.ts';
import { type DashboardFixture, press, useDashboard } from './dashboard-fixture.ts';

export const ADMIN_TOKEN = 'an-admin-token-of-32-characters!';

export type AdminFixture = DashboardFixture & { admin: AdminClient };

/** A browser and a server with an administrator. Pages are closed after each test. */
export function useAdminPages(env: Record<string, string> = {}): AdminFixture {
  const fixture = useDashboard({ ADMIN_TOKEN, ...env }) as AdminFixture;
  beforeAll(() => {
    const { baseUrl } = fixture.server;
    fixture.admin = createApiClient(ADMIN_ENDPOINTS, { baseUrl, token: ADMIN_TOKEN });
  });
  return fixture;
}

/** What shows that a page has read what it is about. */
const LOADED = 'table, dl, [role="status"]:not(:empty), [role="alert"]:not(:empty)';

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
      if (location.protocol !== 'http:') return;
      // As signing in does: another test may have signed out with the token.
      localStorage.removeItem('curt-admin-ended');
      sessionStorage.setItem('curt-admin-token', token);
    },
    language,
    ADMIN_TOKEN,
  );
  await page.goto(`${server.baseUrl}/dashboard/admin${path}`);
  await page.waitForSelector(path === '/nothing' ? 'nav' : LOADED);
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
