import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import autocannon from 'autocannon';

export type Report = { openMs: number; rssBytes: number; stallMs: number };

/** One of the scripts beside this file, in a process of its own. */
export class Server {
  readonly #child: ChildProcess;
  readonly baseUrl: string;

  private constructor(child: ChildProcess, baseUrl: string) {
    this.#child = child;
    this.baseUrl = baseUrl;
  }

  static async start(script: string, argument: string): Promise<Server> {
    const child = fork(new URL(script, import.meta.url), [argument]);
    const [baseUrl] = await once(child, 'message');
    return new Server(child, baseUrl);
  }

  async report(): Promise<Report> {
    this.#child.send('report');
    const [report] = await once(this.#child, 'message');
    return report;
  }

  async stop(): Promise<void> {
    this.#child.kill('SIGKILL');
    await once(this.#child, 'exit');
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
