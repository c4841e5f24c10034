import { constants } from 'node:os';

/**
 * Cleans up if the process is asked to end, and then ends it, with the exit code of shells.
 *
 * @returns a function after which it doesn't any more
 */
export function onInterrupt(cleanUp: () => void): () => void {
  const end = (signal: NodeJS.Signals) => {
    cleanUp();
    process.exit(128 + constants.signals[signal]);
  };
  process.on('SIGINT', end).on('SIGTERM', end);
  return () => {
    process.off('SIGINT', end).off('SIGTERM', end);
  };
}
