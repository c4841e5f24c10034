// Starts the server. Plain JavaScript, because an old Node.js rejects TypeScript before it runs anything.
import module from 'node:module';
import { join } from 'node:path';
import { nodeProblem } from './node-version.js';

// The first process of a container ignores a signal without a listener. Nothing is open while the imports run.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGQUIT', 'SIGUSR2']) {
  // After `--check`, nothing else is to start.
  process.on(signal, () => process.exit(process.argv.includes('--check') ? 1 : 0));
}

// Without a listener, this signal opens the debugger of Node.js, where anybody on this machine can run code.
process.on('SIGUSR1', () => {});

if (nodeProblem === undefined) {
  // Skips most of the compilation from the second start on. In the project, because a folder that other
  // users can write to could contain their code. Where it cannot be written, nothing is cached.
  module.enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/compile'));
  await import('./main.ts');
} else {
  process.stderr.write(`${nodeProblem}\n`);
  process.exitCode = 1;
}
