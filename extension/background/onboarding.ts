import { browser } from 'wxt/browser';
import { knownServers, privateTokens, storedSettings } from '../storage/items.ts';
import { listPending } from './queue/pending-requests.ts';
import { listAccounts } from './server/tokens.ts';

/** To be called as the worker starts: a listener added later misses the installation. */
export function welcomeOnInstall(): void {
  browser.runtime.onInstalled.addListener(async ({ reason }) => {
    if (reason === 'install') await openWelcomePage();
  });
}

/** Whether no server has ever answered as Curt does: only one that has is sent a call. */
export async function hasNoServer(): Promise<boolean> {
  const accounts = [...(await listAccounts()), ...Object.keys(await privateTokens.read())];
  const known = Object.keys(await knownServers.read());
  const called = (await listPending()).filter(([, { call }]) => call);
  return accounts.length + known.length + called.length === 0;
}

async function openWelcomePage(): Promise<void> {
  // Firefox installs a temporary add-on anew at each start, and it finds its data again.
  const settings = await storedSettings.read();
  const isKnown = Object.keys(settings).length > 0 || (await listAccounts()).length > 0;
  if (!isKnown) await browser.tabs.create({ url: browser.runtime.getURL('/welcome.html') });
}
