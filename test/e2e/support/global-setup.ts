import type { TestProject } from 'vitest/node';
import { buildExtensions } from './build-extension.ts';
import { findOrInstallBrowser } from './find-browser.ts';

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

/** Brings what the browser tests stand on: two browsers, and the extension built from this source. */
export default async function setup(project: TestProject) {
  // One after the other: both may need the package manager, which takes one caller at a time.
  project.provide('chromiumPath', await findOrInstallBrowser('chromium'));
  project.provide('firefoxPath', await findOrInstallBrowser('firefox'));
  const extensions = await buildExtensions();
  project.provide('chromeExtensionFolder', extensions.chrome);
  project.provide('firefoxExtensionFolder', extensions.firefox);
  return () => extensions.remove();
}
