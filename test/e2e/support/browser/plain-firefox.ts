import puppeteer, { type Browser } from 'puppeteer-core';
import { endWithParent } from '../servers/end-with-parent.ts';
import { executableOf } from './executable.ts';

/** A headless Firefox with a fresh profile and no extension, driven as Chromium is. */
export async function launchFirefox(): Promise<Browser> {
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: executableOf('firefox'),
    headless: true,
    timeout: 100_000,
  });
  const child = browser.process();
  if (child) child.once('exit', endWithParent(child));
  return browser;
}
