import { type ChildProcess, spawn } from 'node:child_process';

/** Waits for its stdin to close, which happens however the parent process ends. */
const KEEPER = `process.stdin.resume().on('end', () => {
  try { process.kill(Number(process.argv[1]), 'SIGKILL'); } catch {}
});`;

/**
 * Kills a child process when this process ends. The test runner kills its workers without a signal
 * that they can handle, and an interrupted run must leave no browser or server behind.
 * @returns a function that stops watching a child that has ended
 */
export function endWithParent(child: ChildProcess): () => void {
  const keeper = spawn(process.execPath, ['--eval', KEEPER, String(child.pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    // In its own process group, so that Ctrl+C doesn't reach it.
    detached: true,
  });
  keeper.unref();
  return () => keeper.kill();
}
