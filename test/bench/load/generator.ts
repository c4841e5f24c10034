import { execFile, fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
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

export type Generator = {
  name: string;
  /** Whether it is faster than the servers. If not, only CPU per request is meaningful. */
  isFast: boolean;
  load(baseUrl: string, requests: Requests, options: LoadOptions): Promise<Load>;
};

export type LoadOptions = { seconds: number; connections: number };

/** wrk, installed if necessary and possible; otherwise autocannon in a separate process. */
export async function chooseGenerator(): Promise<Generator> {
  if (!hasWrk()) {
    await installPackage('wrk').catch((error: Error) => {
      process.stderr.write(`wrk cannot be installed: ${error.message}\n`);
    });
  }
  return hasWrk() ? wrk : autocannon;
}

function hasWrk(): boolean {
  return spawnSync('wrk', ['--version']).error === undefined;
}

const wrk: Generator = {
  name: 'wrk',
  isFast: true,
  async load(baseUrl, requests, { seconds, connections }) {
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
  },
};

const autocannon: Generator = {
  name: 'autocannon',
  isFast: false,
  async load(baseUrl, requests, options) {
    const child = fork(new URL('./autocannon-load.ts', import.meta.url), [
      JSON.stringify({ baseUrl, requests, options }),
    ]);
    try {
      const [load] = await Promise.race([
        once(child, 'message'),
        once(child, 'exit').then(([code]) => {
          throw new Error(`the load generator ended with ${code}`);
        }),
      ]);
      return load;
    } finally {
      child.kill();
    }
  },
};
