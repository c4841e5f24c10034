import { browser } from 'wxt/browser';
import { storedSettings } from '../storage.ts';
import { listAccounts } from './tokens.ts';

/** To be called as the worker starts: a listener added later misses the installation. */
export function welcomeOnInstall(): void {
  browser.runtime.onInstalled.addListener(({ reason }) => {
    if (reason === 'install') void openFirstSteps();
  });
}

async function openFirstSteps(): Promise<void> {
  // Firefox installs a temporary add-on anew at each start, and it finds its data again.
  const settings = await storedSettings.read();
  const isKnown = Object.keys(settings).length > 0 || (await listAccounts()).length > 0;
  if (!isKnown) await browser.tabs.create({ url: browser.runtime.getURL('/welcome.html') });
}
