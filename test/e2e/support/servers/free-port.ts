import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { onTestFinished } from 'vitest';

/** Below those of `listen(0)`. Each of the test runner's workers has some of its own. */
const FREE_PORTS = { first: 20_000, perWorker: 500 };
const WORKER = Number(process.env.VITEST_POOL_ID ?? 0) % 20;
let nextPort = Math.floor(Math.random() * FREE_PORTS.perWorker);

/** A port on which nothing listens, and that no other test gets. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FREE_PORTS.first + WORKER * FREE_PORTS.perWorker + nextPort;
    nextPort = (nextPort + 1) % FREE_PORTS.perWorker;
    const holder = createServer().listen(port);
    const isFree = await once(holder, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    holder.close();
    await once(holder, 'close');
    return port;
  }
}

/** A port on which another program listens until the test ends. */
export async function takenPort(): Promise<string> {
  const other = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void other.close());
  await once(other, 'listening');
  return String((other.address() as AddressInfo).port);
}
