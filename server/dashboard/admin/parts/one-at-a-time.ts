import { useRef } from 'preact/hooks';

/** An action that does nothing while it still runs: a double click would carry it out twice. */
export function useOneAtATime(act: () => Promise<void>): () => Promise<void> {
  const isRunning = useRef(false);
  return async () => {
    if (isRunning.current) return;
    isRunning.current = true;
    try {
      await act();
    } finally {
      isRunning.current = false;
    }
  };
}
