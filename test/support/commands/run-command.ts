import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

const ROOT = join(import.meta.dirname, '../../..');
const FOLDER = 'test/support/commands';
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

/** Runs what `npm run <command>` does with Vitest, with `failing.ts` in place of all tests. */
export async function runWithFailingTest(command: string, options = '') {
  const [vitest] = /vitest run[^"{]*/.exec(scripts[command]) as RegExpExecArray;
  const env = { TEST_FILE: `${FOLDER}/failing.ts` };
  const { exitCode, output } = await runVitest(`${vitest} ${options}`, 'vitest.config.ts', env);
  const projects = [...output.matchAll(/FAIL +\|(\S+)\|.*fails on purpose/g)].map(
    ([, name]) => name,
  );
  return { exitCode, projects };
}

/** Runs `npm run <command>` with two other commands in place of the tests and the check. */
export function runBeside(command: string, tests: string, check: string) {
  return runShell(
    (scripts[command] as string)
      .replace(/vitest run[^"{]*/, `${tests} `)
      .replace('npm run check', check),
  );
}

/**
 * @param command as in package.json
 * @param config in this folder
 */
export function runVitest(command: string, config: string, env: NodeJS.ProcessEnv = {}) {
  return runShell(`${command} --config ${FOLDER}/${config}`, env);
}

async function runShell(command: string, env: NodeJS.ProcessEnv = {}) {
  const child = spawn(`node_modules/.bin/${command}`, {
    cwd: ROOT,
    env: { ...ownEnvironment(), ...env },
    shell: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const closed = once(child, 'close');
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [exitCode] = await closed;
  return { exitCode, output: stdout + stderr };
}

/** Without what the test runner sets. */
function ownEnvironment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !/^(VITEST|NODE_ENV|CI$)/.test(name));
  return { ...Object.fromEntries(own), NO_COLOR: '1' };
}
