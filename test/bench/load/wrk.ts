import { execFile, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { installPackage } from '../../support/install-package.ts';

const run = promisify(execFile);
const SCRIPT = join(import.meta.dirname, 'load.lua');

/** The requests that a load repeats. */
export type Requests =
  /** `paths` is a file with one path per line. */
  | { method: 'GET'; paths: string; userAgent: string }
  | { method: 'POST'; token: string; kind: 'plain' | 'idempotent' };

export type Load = {
  answers: number;
  seconds: number;
  p99Ms: number;
  /** Responses with status 400 or above. */
  errorStatuses: number;
};

export type LoadOptions = { seconds: number; connections: number };

/**
 * Loads a server with wrk.
 *
 * @throws Error if wrk is not there and can't be installed
 */
export async function load(
  baseUrl: string,
  requests: Requests,
  { seconds, connections }: LoadOptions,
): Promise<Load> {
  await requireWrk();
  const seed = `${Math.floor(Math.random() * 2 ** 31)}`;
  const what =
    requests.method === 'POST'
      ? ['create', requests.token, requests.kind]
      : ['get', requests.paths, requests.userAgent];
  const { stdout } = await run('wrk', [
    '--threads=1',
    `--connections=${connections}`,
    `--duration=${seconds}s`,
    `--script=${SCRIPT}`,
    baseUrl,
    '--',
    seed,
    ...what,
  ]);
  const summary = JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '');
  if (summary.failures > 0) throw new Error(`${summary.failures} requests failed`);
  return {
    answers: summary.answers,
    seconds: summary.microseconds / 1e6,
    p99Ms: summary.p99Microseconds / 1000,
    errorStatuses: summary.errorStatuses,
  };
}

async function requireWrk(): Promise<void> {
  if (spawnSync('wrk', ['--version']).error === undefined) return;
  await installPackage('wrk').catch((error: Error) => {
    throw new Error(
      `This needs wrk, which could not be installed here (${error.message}). Install it: in Debian and Homebrew, its package is wrk.`,
    );
  });
}
