// Starts the server. Plain JavaScript, because an old Node.js rejects TypeScript before it runs anything.
import { nodeProblem } from './node-version.js';

if (nodeProblem === undefined) {
  await import('./main.ts');
} else {
  process.stderr.write(`${nodeProblem}\n`);
  process.exitCode = 1;
}
