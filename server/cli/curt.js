#!/usr/bin/env node
// The `curt` command. Plain JavaScript, because an old Node.js rejects TypeScript before it runs anything.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { cacheCode, loadProblem, nodeProblem } from '../can-run.js';

const PROJECT = join(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '../..');
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];
/** Of a program whose libraries are missing. The system has printed which one. */
const CANNOT_EXECUTE = 127;

if (nodeProblem !== undefined) runWithOwnNode();
else await run().catch((error) => fail(loadProblem(error)));

async function run() {
  cacheCode(PROJECT);
  const { useProxies } = await import('./api/proxies.ts');
  const env = useProxies(process.env);
  if (env) {
    runWith(process.execPath, env);
    return;
  }
  const { run } = await import('./run.ts');
  process.exitCode = await run(process.argv.slice(2));
}

/** Development dependencies bring a newer Node.js. */
function runWithOwnNode() {
  const node = join(PROJECT, 'node_modules/node/bin/node');
  if (!existsSync(node)) {
    fail(nodeProblem);
    return;
  }
  runWith(node, process.env);
}

function runWith(node, env) {
  const child = spawn(node, process.argv.slice(1), { stdio: 'inherit', env });
  for (const signal of SIGNALS) process.on(signal, () => child.kill(signal));
  child.on('exit', (code) => {
    if (code === CANNOT_EXECUTE)
      fail('On Debian, "apt-get install libatomic1" brings what Node.js needs.');
    else process.exitCode = code ?? 1;
  });
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exitCode = 1;
}
