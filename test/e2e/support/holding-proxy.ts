import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

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
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    if (request.method === 'POST') {
      asked.resolve();
      await released.promise;
    }
    const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers;
    const answer = await fetch(new URL(request.url ?? '/', server), {
      method: request.method ?? 'GET',
      headers: headers as Record<string, string>,
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    });
    const body = Buffer.from(await answer.arrayBuffer());
    const {
      'content-encoding': ____,
      'transfer-encoding': _____,
      ...sent
    } = Object.fromEntries(answer.headers);
    response.writeHead(answer.status, sent).end(body);
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
