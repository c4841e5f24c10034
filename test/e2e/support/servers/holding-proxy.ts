import type { AddressInfo } from 'node:net';
import { bodyOf, createProxy, forward } from './forward.ts';

export type HoldingProxy = {
  origin: string;
  /** Resolves when a request for a link arrives. */
  asked: Promise<void>;
  /** Forwards the held requests and all later ones. */
  release(): void;
  stop(): Promise<void>;
};

/** A proxy to a real server that holds POST requests until they are released. */
export async function startHoldingProxy(server: string): Promise<HoldingProxy> {
  const asked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const proxy = createProxy(async (request, response) => {
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
