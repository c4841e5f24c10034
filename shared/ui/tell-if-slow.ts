import type { Signal } from '@preact/signals';

/** From then on, people wonder whether anything happens. */
const SLOW_MS = 3000;

/** Says that a request takes long, until its answer is there. */
export async function tellIfSlow<T>(answer: Promise<T>, isSlow: Signal<boolean>): Promise<T> {
  const timer = setTimeout(() => {
    isSlow.value = true;
  }, SLOW_MS);
  try {
    return await answer;
  } finally {
    clearTimeout(timer);
    isSlow.value = false;
  }
}
