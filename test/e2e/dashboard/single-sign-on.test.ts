import { expect, onTestFinished, test } from 'vitest';
import { openSharedChromium } from '../support/browser/shared-chromium.ts';
import {
  collectComplaints,
  headingOf,
  press,
  textOf,
} from '../support/dashboard/dashboard-fixture.ts';
import { startAppServer } from '../support/servers/app-server.ts';

/** A server behind a proxy that knows the visitor: the browser sends what the proxy would. */
async function openBehindProxy(headers: Record<string, string>) {
  const env = {
    IDENTITY_HEADER: 'X-Forwarded-User',
    TRUST_PROXY: '127.0.0.1',
    ANONYMOUS: 'off',
  };
  const [chromium, server] = await Promise.all([openSharedChromium(), startAppServer({ env })]);
  onTestFinished(async () => {
    await chromium.close();
    await server.stop();
  });
  const page = await chromium.openPage('about:blank');
  await page.setExtraHTTPHeaders(headers);
  const complaints = collectComplaints(page);
  await page.goto(`${server.baseUrl}/dashboard`);
  await page.waitForSelector('input[name="token"]');
  return { page, complaints };
}

test('somebody whom the proxy knows signs in with one click, also again', async () => {
  const { page, complaints } = await openBehindProxy({ 'x-forwarded-user': 'ada@example.com' });
  await press(page, 'Continue as ada@example.com');
  await page.waitForSelector('nav');
  expect(await headingOf(page)).toBe('Links');
  await press(page, 'Sign out');
  await press(page, 'Continue as ada@example.com');
  await page.waitForSelector('nav');
  const tokens = await page.evaluate(async () => {
    const headers = { authorization: `Bearer ${sessionStorage.getItem('curt-token')}` };
    const { data } = await (await fetch('/api/account', { headers })).json();
    return [data.name, ...data.tokens.map(({ name }: { name: string }) => name)];
  });
  expect(tokens).toEqual(['ada@example.com', 'Dashboard', 'Dashboard']);
  expect(complaints).toEqual([]);
});

test('somebody whom the proxy does not know needs a token', async () => {
  const { page, complaints } = await openBehindProxy({});
  await page.waitForNetworkIdle();
  expect(await textOf(page)).not.toContain('Continue');
  expect(complaints).toEqual([]);
});
