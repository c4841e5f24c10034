import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { bodyOf, forward } from './forward.ts';

export type HoldingProxy = {
  origin: string;
  /** Settles when a link has been asked for. */
  asked: Promise<void>;
  /** Lets what was asked go on, and all that comes later. */
  release(): void;
  stop(): Promise<void>;
};

/** A way to a real server on which calls that make a link stand still until they are let go. */
export async function startHoldingProxy(server: string): Promise<HoldingProxy> {
  const asked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const proxy = createServer(async (request, response) => {
    const body = await bodyOf(request);
    if (request.method === 'POST') {
      asked.resolve();
      await released.promise;
    }
    const { status, headers, body: answer } = await forward(request, body, server);
    response.writeHead(status, headers).end(answer);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://localhost:${(proxy.address() as AddressInfo).port}`,
    asked: asked.promise,
    release: released.resolve,
    async stop() {
      released.resolve();
      proxy.closeAllConnections();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}
