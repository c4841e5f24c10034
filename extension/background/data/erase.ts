import { browser } from 'wxt/browser';
import { runStorageExclusive } from '../../storage/define-item.ts';
import { storedSettings } from '../../storage/items.ts';
import { planRetries } from '../queue/retry-alarm.ts';

let eraseCount = 0;

/**
 * For what is under way meanwhile. A worker that is stopped before its end keeps nothing anyway.
 *
 * @returns whether everything has been forgotten since
 */
export function watchErasing(): () => boolean {
  const before = eraseCount;
  return () => eraseCount !== before;
}

/** Deletes tokens, links, wishes and what was set aside. How the user wants it stays. */
export async function eraseData(): Promise<void> {
  // Before its turn: what is under way and asks from now on keeps nothing.
  eraseCount += 1;
  await runStorageExclusive(async () => {
    const settings = storedSettings.key.replace('local:', '');
    const others = Object.keys(await browser.storage.local.get()).filter(
      (name) => name !== settings && name !== `${settings}$`,
    );
    await browser.storage.local.remove(others);
    await browser.storage.session.clear();
  });
  // There is nothing left to be woken for.
  await planRetries();
}
