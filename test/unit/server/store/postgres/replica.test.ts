import { createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { parseConnectionUrl } from '../../../../../server/store/postgres/database/connection-url.ts';
import { LogMarks } from '../../../../../server/store/postgres/replica/log-marks.ts';
import { Replica } from '../../../../../server/store/postgres/replica/replica.ts';

test('a replica that is closed while it is asked fails no more', async () => {
  const host = await startSilentHost();
  const { replica, errors } = openReplica(host.url);
  const reading = read(replica);
  await expect.poll(() => host.connections).toBe(1);
  await Promise.all([replica.close(), reading]);
  expect(errors).toEqual([]);
});

test('a replica that is closed while it is probed fails no more', async () => {
  const host = await startSilentHost();
  const { replica, errors } = openReplica(host.url);
  await read(replica);
  expect(errors).toHaveLength(1);
  // A while after it failed.
  await expect.poll(() => read(replica).then(() => host.connections)).toBeGreaterThan(1);
  await replica.close();
  expect(await read(replica)).toBeUndefined();
  expect(errors).toHaveLength(1);
});

function openReplica(url: string) {
  const marks = new LogMarks();
  marks.add(performance.now(), { history: 'system/curt/1', position: 1 });
  const errors: unknown[] = [];
  return { replica: new Replica(parseConnectionUrl(url), marks, (e) => errors.push(e)), errors };
}

const read = (replica: Replica) => replica.read('alias', async () => 'read');

/** Accepts connections, and never answers. */
async function startSilentHost() {
  const sockets: Socket[] = [];
  const server = createServer((socket) => sockets.push(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  const port = typeof address === 'object' && address?.port;
  return {
    url: `postgres://curt@127.0.0.1:${port}/curt`,
    get connections() {
      return sockets.length;
    },
  };
}
