import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { bodyOf, createProxy, forward } from './forward.ts';

export type FlakyProxy = {
  origin: string;
  /** Breaks every connection. */
  isDown: boolean;
  /** Method and path of requests to hold back before they reach the server, as `GET /api/health`. */
  holds: string | undefined;
  /** The same for requests whose responses are held back. */
  holdsAnswerOf: string | undefined;
  /** Removes the rate limit and quota headers. */
  hidesLimits: boolean;
  /** Method and path of every request from the browser, oldest first. */
  asked: string[];
  /** The same for requests that the server has responded to. */
  answered: string[];
  stop(): Promise<void>;
};

const POLL_MS = 20;

/** A proxy to a real server that fails like a network. */
export async function startFlakyProxy(server: string): Promise<FlakyProxy> {
  const proxy = createProxy(async (request, response) => {
    const call = `${request.method} ${request.url}`;
    flaky.asked.push(call);
    const body = await bodyOf(request);
    while (flaky.holds === call && !flaky.isDown) await setTimeout(POLL_MS);
    if (flaky.isDown) return void response.destroy();
    const { status, headers, body: answer } = await forward(request, body, server);
    flaky.answered.push(call);
    while (flaky.holdsAnswerOf === call && !flaky.isDown) await setTimeout(POLL_MS);
    if (flaky.isDown) return void response.destroy();
    for (const name of flaky.hidesLimits ? Object.keys(headers) : []) {
      if (/^(ratelimit|x-quota)-/.test(name)) delete headers[name];
    }
    response.writeHead(status, headers).end(answer);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const flaky: FlakyProxy = {
    origin: `http://localhost:${(proxy.address() as AddressInfo).port}`,
    isDown: false,
    holds: undefined,
    holdsAnswerOf: undefined,
    hidesLimits: false,
    asked: [],
    answered: [],
    async stop() {
      flaky.isDown = true;
      proxy.closeAllConnections();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
  return flaky;
}
