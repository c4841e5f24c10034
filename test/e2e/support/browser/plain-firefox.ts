import puppeteer, { type Browser } from 'puppeteer-core';
import { endWithParent } from '../servers/end-with-parent.ts';
import { executableOf } from './executable.ts';

/**
 * A headless Firefox with a fresh profile and no extension, driven as Chromium is.
 *
 * @param preferences by name, as in `about:config`
 */
export async function launchFirefox(
  preferences: Record<string, string | boolean | number> = {},
): Promise<Browser> {
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: executableOf('firefox'),
    headless: true,
    extraPrefsFirefox: preferences,
    timeout: 300_000,
  });
  const child = browser.process();
  if (child) child.once('exit', endWithParent(child));
  return browser;
}
