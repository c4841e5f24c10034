import { browser } from 'wxt/browser';
import { knownServers, privateTokens, storedSettings } from '../storage/items.ts';
import { WELCOME_PAGE } from '../urls/extension-pages.ts';
import { listServers } from './account/tokens.ts';
import { listPending } from './queue/pending-requests.ts';

/** Call synchronously at startup: a listener added later misses the installation event. */
export function welcomeOnInstall(): void {
  browser.runtime.onInstalled.addListener(async ({ reason }) => {
    if (reason === 'install') await openWelcomePage();
  });
}

/** Whether no Curt server has ever responded. Only a verified server is sent a call. */
export async function hasNoServer(): Promise<boolean> {
  const accounts = [...(await listServers()), ...Object.keys(await privateTokens.read())];
  const known = Object.keys(await knownServers.read());
  const called = (await listPending()).filter(([, { call }]) => call);
  return accounts.length + known.length + called.length === 0;
}

async function openWelcomePage(): Promise<void> {
  // Firefox reinstalls a temporary add-on at each start, with its data in place.
  const settings = await storedSettings.read();
  const isConfigured = Object.keys(settings).length > 0 || (await listServers()).length > 0;
  if (!isConfigured) await browser.tabs.create({ url: browser.runtime.getURL(WELCOME_PAGE) });
}
