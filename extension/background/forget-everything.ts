import { browser } from 'wxt/browser';
import { storedSettings } from '../storage.ts';
import { inStorageTurn } from '../stored-item.ts';

/** Deletes tokens, links, wishes and what was set aside. How the user wants it stays. */
export function forgetEverything(): Promise<void> {
  return inStorageTurn(async () => {
    const settings = storedSettings.key.replace('local:', '');
    const others = Object.keys(await browser.storage.local.get()).filter(
      (name) => name !== settings && name !== `${settings}$`,
    );
    await browser.storage.local.remove(others);
    await browser.storage.session.clear();
  });
}
