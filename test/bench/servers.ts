import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import autocannon from 'autocannon';

export type Report = { openMs: number; rssBytes: number; stallMs: number };

const running = new Set<ChildProcess>();

/** One of the scripts beside this file, in a process of its own, which ends with this one. */
export async function startScript(script: string, argument: string): Promise<StartedScript> {
  const child = fork(new URL(script, import.meta.url), [argument]);
  running.add(child);
  child.once('exit', () => running.delete(child));
  const [message] = await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code]) => {
      throw new Error(`${script} ended with ${code} before it said anything`);
    }),
  ]);
  return { child, message };
}

type StartedScript = {
  child: ChildProcess;
  /** The first that it sent. */
  message: unknown;
};

/** Ends every script that still runs, whatever became of the round that started it. */
export async function stopScripts(): Promise<void> {
  await Promise.all([...running].map(stop));
}

async function stop(child: ChildProcess): Promise<void> {
  if (!running.has(child)) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

/** A script that serves HTTP. */
export class Server {
  readonly #child: ChildProcess;
  readonly baseUrl: string;

  private constructor(child: ChildProcess, baseUrl: string) {
    this.#child = child;
    this.baseUrl = baseUrl;
  }

  static async start(script: string, argument: string): Promise<Server> {
    const { child, message } = await startScript(script, argument);
    return new Server(child, String(message));
  }

  async report(): Promise<Report> {
    this.#child.send('report');
    const [report] = await once(this.#child, 'message');
    return report;
  }

  stop(): Promise<void> {
    return stop(this.#child);
  }
}

export type Load = { perSecond: number; p99Ms: number; answers: number };

/** @param paths asked for in turn by each connection; a POST creates a link instead */
export async function load(
  baseUrl: string,
  seconds: number,
  { paths, token }: { paths?: string[]; token?: string },
): Promise<Load> {
  const body = JSON.stringify({ originalUrl: `https://example.com/${'p'.repeat(64)}` });
  const create = {
    method: 'POST' as const,
    path: '/api/shorten',
    headers: {
      'content-type': 'application/json',
      ...(token && { authorization: `Bearer ${token}` }),
    },
    body,
  };
  const result = await autocannon({
    url: baseUrl,
    connections: 64,
    duration: seconds,
    requests: paths ? paths.map((path) => ({ method: 'GET', path })) : [create],
  });
  const expected = paths ? result['3xx'] : result['2xx'];
  const all = result.requests.total;
  if (expected < all * 0.99 || result.errors > 0) {
    throw new Error(`only ${expected} of ${all} answers were as they should be`);
  }
  return { perSecond: all / result.duration, p99Ms: result.latency.p99, answers: all };
}
