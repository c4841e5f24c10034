import { runStorageExclusive } from './define-item.ts';
import { storedSettings } from './items.ts';
import { storedAreas } from './stored-area.ts';

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

/** Deletes everything except the settings. */
export async function eraseStorage(): Promise<void> {
  // Before waiting for other writes, so that calls in progress stop saving immediately.
  eraseCount += 1;
  await runStorageExclusive(async () => {
    const settings = storedSettings.key.replace('local:', '');
    await storedAreas.local.remove((key) => key !== settings && key !== `${settings}$`);
    await storedAreas.session.remove(() => true);
  });
}
