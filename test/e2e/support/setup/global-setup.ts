import type { TestProject } from 'vitest/node';
import { buildDashboard } from './build-dashboard.ts';
import { buildExtensions } from './build-extension.ts';
import { findOrInstallBrowser } from './find-browser.ts';
import { findOrInstallCommand } from './find-command.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Executable of Chromium, Chrome or Edge. */
    chromiumPath: string;
    /** Executable of Firefox. */
    firefoxPath: string;
    /** The extension as built for Chromium, unpacked. */
    chromeExtensionFolder: string;
    /** The extension as built for Firefox, unpacked. */
    firefoxExtensionFolder: string;
  }
}

/** Provides what the browser tests need: two browsers, the built extension and the built dashboard. */
export default async function setup(project: TestProject) {
  // Sequentially, since all may need the package manager, which locks.
  project.provide('chromiumPath', await findOrInstallBrowser('chromium'));
  project.provide('firefoxPath', await findOrInstallBrowser('firefox'));
  // Without one, only the tests that use it fail.
  await findOrInstallCommand('nginx').catch(() => {});
  await findOrInstallCommand('haproxy').catch(() => {});
  await findOrInstallCommand('systemd-analyze').catch(() => {});
  await buildDashboard();
  const extensions = await buildExtensions();
  project.provide('chromeExtensionFolder', extensions.chrome);
  project.provide('firefoxExtensionFolder', extensions.firefox);
  return () => extensions.remove();
}
