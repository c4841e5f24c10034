import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { endWithParent } from '../e2e/support/servers/end-with-parent.ts';

/** Curt's entry point, relative to this folder. */
export const CURT = '../../server/main.ts';
/** Settings with which no benchmark reaches a limit. */
const UNLIMITED = {
  PORT: '0',
  RATE_LIMIT_PER_MINUTE: '1000000000',
  MONTHLY_QUOTA: '1000000000',
  ANONYMOUS_PER_DAY: '1000000000',
  UNKNOWN_PER_MINUTE: '1000000000',
};
const START_TIMEOUT_MS = 60_000;
const MICROSECONDS_A_TICK =
  1e6 / Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

export type Report = { openMs: number; rssBytes: number; stallMs: number };

const running = new Set<Server>();

/** A server in its own process: Curt or one of the reference programs in this folder. */
export class Server {
  readonly #child: ChildProcess;
  readonly #folder: string;
  readonly #release: () => void;
  readonly baseUrl: string;

  private constructor(child: ChildProcess, folder: string, release: () => void, baseUrl: string) {
    this.#child = child;
    this.#folder = folder;
    this.#release = release;
    this.baseUrl = baseUrl;
    running.add(this);
  }

  /**
   * Resolves when the server has printed its URL. Its output is written to a file, like the log of a
   * production server.
   */
  static async start(script: string, args: string[], env: Record<string, string> = {}) {
    const folder = mkdtempSync(join(tmpdir(), 'curt-bench-log-'));
    const log = join(folder, 'stdout.log');
    const child = spawn(process.execPath, [join(import.meta.dirname, script), ...args], {
      stdio: ['ignore', openSync(log, 'w'), 'pipe', 'ipc'],
      env: { PATH: process.env.PATH, HOME: process.env.HOME, ...UNLIMITED, ...env },
    });
    const closed = once(child, 'close');
    const release = endWithParent(child);
    let printed = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
    const start = performance.now();
    for (;;) {
      const [url] = /http:\/\/[\w.]+:\d+/.exec(readFileSync(log, 'utf8')) ?? [];
      if (url) {
        process.stderr.write(printed);
        child.stderr?.pipe(process.stderr);
        return new Server(child, folder, release, url);
      }
      if (child.exitCode !== null || performance.now() - start > START_TIMEOUT_MS) {
        child.kill('SIGKILL');
        await closed;
        throw new Error(`${script} printed no URL:\n${printed}`);
      }
      await setTimeout(20);
    }
  }

  /** CPU time of the whole process, user and system. */
  get cpuMicroseconds(): number {
    const stat = readFileSync(`/proc/${this.#child.pid}/stat`, 'utf8');
    // After the name, which may contain spaces: fields 14 and 15 of proc(5).
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * MICROSECONDS_A_TICK;
  }

  /** The report of `curt-server.ts`, including its longest stall since the last report. */
  async report(): Promise<Report> {
    this.#child.send('report');
    const [report] = await once(this.#child, 'message');
    return report;
  }

  async stop(): Promise<void> {
    running.delete(this);
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      this.#child.kill('SIGKILL');
      await once(this.#child, 'exit');
    }
    this.#release();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Stops every server that is still running, for example after an error. */
export async function stopServers(): Promise<void> {
  await Promise.all([...running].map((server) => server.stop()));
}
