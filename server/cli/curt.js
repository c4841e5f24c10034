#!/usr/bin/env node
// The `curt` command. Plain JavaScript, because an old Node.js rejects TypeScript before it runs anything.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import module from 'node:module';
import { join } from 'node:path';
import { nodeProblem } from '../node-version.js';

const PROJECT = join(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '../..');
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];
/** Of a program whose libraries are missing. The system has printed which one. */
const CANNOT_EXECUTE = 127;

if (nodeProblem !== undefined) runWithOwnNode();
else await run();

async function run() {
  // Skips most of the compilation from the second time on. In the project, because a folder that
  // other users can write to could contain their code.
  module.enableCompileCache(join(PROJECT, 'node_modules/.cache/compile'));
  try {
    const { useProxies } = await import('./api/proxies.ts');
    const env = useProxies(process.env);
    if (env) {
      runWith(process.execPath, env);
      return;
    }
    const { run } = await import('./run.ts');
    process.exitCode = await run(process.argv.slice(2));
  } catch (error) {
    if (error.code !== 'ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING') throw error;
    fail('Curt runs in a clone of its repository, not as a package. Run `npm link` in the clone.');
  }
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
