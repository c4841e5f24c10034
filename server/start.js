// Starts the server. Plain JavaScript, because an old Node.js rejects TypeScript before it runs anything.
import { nodeProblem } from './node-version.js';

// Without a listener, this signal opens the debugger of Node.js, where anybody on this machine can run code.
process.on('SIGUSR1', () => {});

if (nodeProblem === undefined) {
  await import('./main.ts');
} else {
  process.stderr.write(`${nodeProblem}\n`);
  process.exitCode = 1;
}
