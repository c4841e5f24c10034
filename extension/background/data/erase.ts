import { browser } from 'wxt/browser';
import { runStorageExclusive } from '../../storage/define-item.ts';
import { storedSettings } from '../../storage/items.ts';
import { planRetries } from '../queue/retry-alarm.ts';

let eraseCount = 0;

/**
 * Lets a call in progress detect that the data has been erased. Not stored: a call does not survive
 * its worker.
 *
 * @returns a function that tells whether the data has been erased since
 */
export function watchErasing(): () => boolean {
  const before = eraseCount;
  return () => eraseCount !== before;
}

/** Deletes tokens, links, pending requests and quarantined values, but not the settings. */
export async function eraseData(): Promise<void> {
  // Before waiting for storage, so that calls in progress stop saving immediately.
  eraseCount += 1;
  await runStorageExclusive(async () => {
    const settings = storedSettings.key.replace('local:', '');
    const others = Object.keys(await browser.storage.local.get()).filter(
      (name) => name !== settings && name !== `${settings}$`,
    );
    await browser.storage.local.remove(others);
    await browser.storage.session.clear();
  });
  // Clears the alarm.
  await planRetries();
}
