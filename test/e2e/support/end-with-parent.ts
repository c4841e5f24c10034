import { type ChildProcess, spawn } from 'node:child_process';

/** Its input ends with the process that holds the other end, however that one dies. */
const KEEPER = `process.stdin.resume().on('end', () => {
  try { process.kill(Number(process.argv[1]), 'SIGKILL'); } catch {}
});`;

/**
 * Takes a child process down with this one: the test runner kills its workers in ways that leave
 * them no last word, and an interrupted run shall leave no browser and no server behind.
 * @returns lets go of a child that has ended
 */
export function endWithParent(child: ChildProcess): () => void {
  const keeper = spawn(process.execPath, ['--eval', KEEPER, String(child.pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    // Out of reach of the Ctrl+C that ends the run.
    detached: true,
  });
  keeper.unref();
  return () => keeper.kill();
}
