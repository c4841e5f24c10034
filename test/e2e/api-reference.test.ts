import { expect, onTestFinished, test } from 'vitest';
import { click } from './support/browser/click.ts';
import { openSharedChromium } from './support/browser/shared-chromium.ts';
import { startAppServer } from './support/servers/app-server.ts';
import { interceptOutside } from './support/servers/outside.ts';

test('/api/docs shows every endpoint under its CSP, without a request to any other host', async () => {
  const [chromium, server] = await Promise.all([openSharedChromium(), startAppServer()]);
  onTestFinished(async () => {
    await chromium.close();
    await server.stop();
  });
  const page = await chromium.openPage('about:blank');
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  const outside = await interceptOutside(page);
  const response = await page.goto(`${server.baseUrl}/api/docs`);
  expect(response?.headers()['content-security-policy']).not.toContain('unsafe');

  const { paths } = await (await fetch(`${server.baseUrl}/api/openapi.json`)).json();
  const expected = Object.values<object>(paths).flatMap((methods) => Object.keys(methods));
  const shown = () => page.$$eval('.opblock-summary-method', (elements) => elements.length);
  await expect.poll(shown).toBe(expected.length);

  // Opens one of them, with its schemas and examples.
  await click(page, '.opblock-post .opblock-summary-control');
  await page.waitForSelector('.opblock-post .responses-table');
  const text = () => page.$eval('.opblock-post', (element) => element.textContent);
  await expect.poll(text).toContain('Create a short link');
  await expect.poll(text).toContain('insufficient_scope');
  expect(complaints).toEqual([]);
  expect(outside.asked).toEqual([]);
});
