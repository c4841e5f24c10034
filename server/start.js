// Starts the server. Plain JavaScript, because an old Node.js rejects TypeScript before it runs anything.
import { join } from 'node:path';
import { cacheCode, loadProblem, nodeProblem } from './can-run.js';

// The first process of a container ignores a signal without a listener. Nothing is open while the imports run.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGQUIT', 'SIGUSR2']) {
  // After `--check`, nothing else is to start.
  process.on(signal, () => process.exit(process.argv.includes('--check') ? 1 : 0));
}

// Without a listener, this signal opens the debugger of Node.js, where anybody on this machine can run code.
process.on('SIGUSR1', () => {});

if (nodeProblem === undefined) {
  cacheCode(join(import.meta.dirname, '..'));
  await import('./main.ts').catch((error) => fail(loadProblem(error)));
} else {
  fail(nodeProblem);
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
