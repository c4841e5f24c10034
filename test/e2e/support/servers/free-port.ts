import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { onTestFinished } from 'vitest';

/** Below those of `listen(0)`. */
const FIRST_PORT = 20_000;
const BLOCKS = 500;
const BLOCK_PORTS = 20;

let own: number[] = [];

/** A port on which nothing listens, and that no other test gets, of other runs neither. */
export async function freePort(): Promise<number> {
  for (;;) {
    if (own.length === 0) own = await takeBlock();
    const port = own.shift() ?? 0;
    const holder = await listenOn(port);
    if (!holder) continue;
    holder.close();
    await once(holder, 'close');
    return port;
  }
}

/**
 * A block belongs to the process that listens on its first port, as long as it lives: a program that a test starts
 * again finds its port free.
 */
async function takeBlock(): Promise<number[]> {
  for (;;) {
    const first = FIRST_PORT + BLOCK_PORTS * Math.floor(BLOCKS * Math.random());
    const holder = await listenOn(first);
    if (!holder) continue;
    holder.unref();
    return Array.from({ length: BLOCK_PORTS - 1 }, (_, index) => first + 1 + index);
  }
}

async function listenOn(port: number): Promise<Server | undefined> {
  const server = createServer().listen(port);
  return once(server, 'listening').then(
    () => server,
    () => undefined,
  );
}

/** A port on which another program listens until the test ends. */
export async function takenPort(): Promise<string> {
  const other = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void other.close());
  await once(other, 'listening');
  return String((other.address() as AddressInfo).port);
}
