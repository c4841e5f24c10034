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

/** A proxy to a real server that fails like a network. @param flaky what becomes the proxy */
export async function startFlakyProxy(
  server: string,
  flaky = {} as FlakyProxy,
): Promise<FlakyProxy> {
  let isStopped = false;
  const isDown = () => isStopped || flaky.isDown;
  const proxy = createProxy(async (request, response) => {
    const call = `${request.method} ${request.url}`;
    flaky.asked.push(call);
    const body = await bodyOf(request);
    while (flaky.holds === call && !isDown()) await setTimeout(POLL_MS);
    if (isDown()) return void response.destroy();
    const { status, headers, body: answer } = await forward(request, body, server);
    // It may belong to another test by now.
    if (isStopped) return void response.destroy();
    flaky.answered.push(call);
    while (flaky.holdsAnswerOf === call && !isDown()) await setTimeout(POLL_MS);
    if (isDown()) return void response.destroy();
    for (const name of flaky.hidesLimits ? Object.keys(headers) : []) {
      if (/^(ratelimit|x-quota)-/.test(name)) delete headers[name];
    }
    response.writeHead(status, headers).end(answer);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return Object.assign(flaky, {
    origin: `http://localhost:${(proxy.address() as AddressInfo).port}`,
    isDown: false,
    holds: undefined,
    holdsAnswerOf: undefined,
    hidesLimits: false,
    asked: [],
    answered: [],
    async stop() {
      isStopped = true;
      proxy.closeAllConnections();
      await new Promise((resolve) => proxy.close(resolve));
    },
  });
}
