import type { Signal } from '@preact/signals';
import { systemTime } from '../time.ts';

/** From then on, people wonder whether anything happens. */
const SLOW_MS = 3000;

/** Says that a request takes long, until its answer is there. */
export async function tellIfSlow<T>(
  answer: Promise<T>,
  isSlow: Signal<boolean>,
  { after } = systemTime,
): Promise<T> {
  const cancel = after(SLOW_MS, () => {
    isSlow.value = true;
  });
  try {
    return await answer;
  } finally {
    cancel();
    isSlow.value = false;
  }
}
