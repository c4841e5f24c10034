import puppeteer, { type Browser } from 'puppeteer-core';
import { inject } from 'vitest';
import { endWithParent } from '../servers/end-with-parent.ts';

/** A headless Firefox with a fresh profile and no extension, driven as Chromium is. */
export async function launchFirefox(): Promise<Browser> {
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: inject('firefoxPath'),
    headless: true,
  });
  const child = browser.process();
  if (child) child.once('exit', endWithParent(child));
  return browser;
}
