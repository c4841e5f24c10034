import { effect } from '@preact/signals';

/** Resolves once what signals say is so. */
export function until(isSo: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const stop = effect(() => {
      if (!isSo()) return;
      resolve();
      // The effect has not returned yet.
      queueMicrotask(() => stop());
    });
  });
}
