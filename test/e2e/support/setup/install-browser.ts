import { homedir } from 'node:os';
import { join } from 'node:path';
import { Browser, detectBrowserPlatform, install, resolveBuildId } from '@puppeteer/browsers';
import { installPackage } from '../../../support/install-package.ts';
import type { BrowserKind } from './find-browser.ts';

const DEBIAN_PACKAGES: Record<BrowserKind, string> = {
  chromium: 'chromium',
  headless: 'chromium-headless-shell',
  firefox: 'firefox-esr',
};
const DOWNLOADS: Record<BrowserKind, Browser> = {
  chromium: Browser.CHROME,
  headless: Browser.CHROMEHEADLESSSHELL,
  firefox: Browser.FIREFOX,
};

/**
 * Installs a browser for the tests: from the system's packages if it can, otherwise with the driver's
 * download into the user's cache.
 * @param find looks for the executable that the package installed
 * @returns path of the executable
 * @throws Error that says why neither way worked
 */
export async function installBrowser(
  kind: BrowserKind,
  find: () => string | undefined,
): Promise<string> {
  const reasons: string[] = [];
  for (const way of [() => installFromPackages(kind, find), () => download(kind)]) {
    try {
      return await way();
    } catch (error) {
      reasons.push(firstLine(error));
    }
  }
  throw new Error(reasons.join('; '));
}

async function installFromPackages(
  kind: BrowserKind,
  find: () => string | undefined,
): Promise<string> {
  const name = DEBIAN_PACKAGES[kind];
  await installPackage(name);
  const path = find();
  if (!path) throw new Error(`the package ${name} brought no executable`);
  return path;
}

async function download(kind: BrowserKind): Promise<string> {
  const platform = detectBrowserPlatform();
  if (!platform) throw new Error(`no download for ${process.platform} on ${process.arch}`);
  const browser = DOWNLOADS[kind];
  const { executablePath } = await install({
    browser,
    platform,
    buildId: await resolveBuildId(browser, platform, 'stable'),
    cacheDir: join(homedir(), '.cache', 'puppeteer'),
    // Libraries that a minimal Debian or Ubuntu lacks. Installing them needs root.
    installDeps: process.platform === 'linux' && process.getuid?.() === 0 && kind !== 'firefox',
  });
  return executablePath;
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';
}
