import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { endWithParent } from './end-with-parent.ts';

const ROOT = join(import.meta.dirname, '../../../..');
const START_TIMEOUT_MS = 300_000;
const STOP_TIMEOUT_MS = 60_000;
/** Environment variables that a process needs, without the developer's own server settings. */
const INHERITED = ['PATH', 'HOME', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot', 'NODE_COMPILE_CACHE'];

/** Limits that no test reaches. */
export const HIGH_LIMITS = { RATE_LIMIT_PER_MINUTE: '10000', ANONYMOUS_PER_DAY: '10000' };

export type ServerOptions = {
  /** Settings by name. They override the defaults below. */
  env?: Record<string, string>;
  /** The store's folder, which is kept. By default a temporary one, removed by `stop`. */
  folder?: string;
};

export type RunningServer = {
  /** Origin that the server printed, as `http://localhost:41234`. */
  baseUrl: string;
  /** The store's folder. */
  folder: string;
  /** Every line printed so far to stdout or stderr. */
  lines: string[];
  pid: number | undefined;
  /** Stops it as a service manager does, and reads its last lines. @returns its exit code */
  stop(): Promise<number | null>;
  /** Ends it as a crash does. A temporary store is kept until `stop`. */
  kill(): Promise<void>;
};

/**
 * Starts the real server in a separate process, with a free port, its own store, and limits too high
 * for tests to reach.
 * @throws Error with the server's output if it doesn't start
 */
export async function startServer({ env, folder }: ServerOptions = {}): Promise<RunningServer> {
  const storeFolder = folder ?? (await mkdtemp(join(tmpdir(), 'curt-store-')));
  const child = spawn(process.execPath, ['server/main.ts'], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...Object.fromEntries(INHERITED.map((name) => [name, process.env[name]])),
      PORT: '0',
      STORE_URL: `file:${storeFolder}`,
      ...HIGH_LIMITS,
      ...env,
    },
  });
  const release = endWithParent(child);
  const lines: string[] = [];

  async function stop() {
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
    if (isRunning(child)) {
      child.kill('SIGTERM');
      await once(child, 'close');
    }
    clearTimeout(timer);
    release();
    if (folder === undefined) await rm(storeFolder, { recursive: true, force: true });
    return child.exitCode;
  }

  async function kill() {
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
  }

  try {
    const baseUrl = await printedAddress(child, lines);
    return { baseUrl, folder: storeFolder, lines, pid: child.pid, stop, kill };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The origin in the first line that is not a log record. */
function printedAddress(child: ChildProcess, lines: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const fail = (what: string) =>
      reject(new Error(`The server ${what}; it printed:\n${lines.join('\n')}`));
    const timer = setTimeout(
      () => fail(`printed no address within ${START_TIMEOUT_MS} ms`),
      START_TIMEOUT_MS,
    );
    child.once('error', reject);
    // 'close', not 'exit': then its last lines have been read.
    child.once('close', (code) => {
      clearTimeout(timer);
      fail(`ended with ${code} before it printed an address`);
    });
    for (const stream of [child.stdout, child.stderr]) {
      if (!stream) continue;
      createInterface({ input: stream }).on('line', (line) => {
        lines.push(line);
        const isLogRecord = line.startsWith('{') || stream === child.stderr;
        const address = isLogRecord ? null : /https?:\/\/[\w.:[\]-]*[\w\]]/.exec(line);
        if (!address) return;
        clearTimeout(timer);
        resolve(new URL(address[0]).origin);
      });
    }
  });
}

export function isRunning(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null && child.pid !== undefined;
}
