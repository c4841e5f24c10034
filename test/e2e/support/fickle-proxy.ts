import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { bodyOf, forward } from './forward.ts';

export type FickleProxy = {
  origin: string;
  /** Breaks every connection. */
  isDown: boolean;
  /** Method and path of calls that stand still before they reach the server, as `GET /api/health`. */
  holds: string | undefined;
  /** The same of calls whose answers stand still. */
  holdsAnswerOf: string | undefined;
  /** Leaves the headers out that tell of limits. */
  hidesLimits: boolean;
  /** Method and path of every call that the browser has made, oldest first. */
  asked: string[];
  /** The same of those that the server has answered. */
  answered: string[];
  stop(): Promise<void>;
};

const POLL_MS = 20;

/** A way to a real server that fails as networks do. */
export async function startFickleProxy(server: string): Promise<FickleProxy> {
  const proxy = createServer(async (request, response) => {
    const call = `${request.method} ${request.url}`;
    fickle.asked.push(call);
    const body = await bodyOf(request);
    while (fickle.holds === call && !fickle.isDown) await setTimeout(POLL_MS);
    if (fickle.isDown) return void response.destroy();
    const { status, headers, body: answer } = await forward(request, body, server);
    fickle.answered.push(call);
    while (fickle.holdsAnswerOf === call && !fickle.isDown) await setTimeout(POLL_MS);
    if (fickle.isDown) return void response.destroy();
    for (const name of fickle.hidesLimits ? Object.keys(headers) : []) {
      if (/^(ratelimit|x-quota)-/.test(name)) delete headers[name];
    }
    response.writeHead(status, headers).end(answer);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const fickle: FickleProxy = {
    origin: `http://localhost:${(proxy.address() as AddressInfo).port}`,
    isDown: false,
    holds: undefined,
    holdsAnswerOf: undefined,
    hidesLimits: false,
    asked: [],
    answered: [],
    async stop() {
      fickle.isDown = true;
      proxy.closeAllConnections();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
  return fickle;
}
