import { constants } from 'node:os';

/**
 * Cleans up if the process is asked to end, and then lets the signal end it. `process.exit` would wait for
 * a read that never returns, such as one of a network drive that is away.
 *
 * @returns a function after which it doesn't any more
 */
export function onInterrupt(cleanUp: () => void): () => void {
  const settle = () => {
    process.off('SIGINT', end).off('SIGTERM', end);
  };
  const end = (signal: NodeJS.Signals) => {
    cleanUp();
    settle();
    process.kill(process.pid, signal);
    // The first process of a container gets no signal that it doesn't handle.
    process.exit(128 + constants.signals[signal]);
  };
  process.on('SIGINT', end).on('SIGTERM', end);
  return settle;
}
