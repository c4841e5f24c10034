import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { installMissing } from '../../../support/find-command.ts';
import { MissingProgram } from '../../../support/missing-program.ts';
import { buildDashboard } from './build-dashboard.ts';
import { buildExtensions } from './build-extension.ts';
import { type BrowserKind, findOrInstallBrowser } from './find-browser.ts';

/** A browser's executable, or what to install. */
type FoundBrowser = { path: string; missing?: never } | { path?: never; missing: string };

declare module 'vitest' {
  export interface ProvidedContext {
    /** Chromium, Chrome or Edge. */
    chromium: FoundBrowser;
    firefox: FoundBrowser;
    /** For pages alone: the smallest of them. */
    headless: FoundBrowser;
    /** Of the profiles of browsers that are open until the tests end. */
    profilesFolder: string;
    /** The extension as built for Chromium, unpacked. */
    chromeExtensionFolder: string;
    /** The extension as built for Firefox, unpacked. */
    firefoxExtensionFolder: string;
  }
}

/**
 * Provides what the browser tests need: two browsers, the built extension and the built dashboard.
 * Without a browser, the tests that use it are not run.
 */
export default async function setup(project: TestProject) {
  // Sequentially, since all may need the package manager, which locks.
  project.provide('chromium', await find('chromium'));
  project.provide('firefox', await find('firefox'));
  project.provide('headless', await findHeadless());
  await installMissing(['git', 'nginx']);
  await buildDashboard();
  const extensions = await buildExtensions();
  project.provide('chromeExtensionFolder', extensions.chrome);
  project.provide('firefoxExtensionFolder', extensions.firefox);
  const profiles = await mkdtemp(join(tmpdir(), 'curt-profiles-'));
  project.provide('profilesFolder', profiles);
  return async () => {
    await extensions.remove();
    await rm(profiles, { recursive: true, force: true, maxRetries: 20 });
  };
}

/** The headless shell takes half the processor time of Chromium, which does as well. */
async function findHeadless(): Promise<FoundBrowser> {
  // Somebody has chosen a browser.
  if (process.env.CHROME_PATH) return find('chromium');
  const shell = await find('headless');
  return shell.path === undefined ? find('chromium') : shell;
}

async function find(kind: BrowserKind): Promise<FoundBrowser> {
  try {
    return { path: await findOrInstallBrowser(kind) };
  } catch (error) {
    if (error instanceof MissingProgram) return { missing: error.message };
    throw error;
  }
}
