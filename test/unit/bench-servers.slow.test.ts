import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { Server, stopServers } from '../bench/servers.ts';

const SCRIPT = 'reference/minimal-visit.ts';

async function isServing(baseUrl: string): Promise<boolean> {
  return fetch(baseUrl, { redirect: 'manual' }).then(
    () => true,
    () => false,
  );
}

test('the benchmark stops all servers after a failed round', async () => {
  const servers = [await Server.start(SCRIPT, []), await Server.start(SCRIPT, [])];
  const [one, other] = servers.map(({ baseUrl }) => baseUrl) as [string, string];
  expect(await isServing(one)).toBe(true);
  await servers[0]?.stop();
  await stopServers();
  expect([await isServing(one), await isServing(other)]).toEqual([false, false]);
});

test('the benchmark reports a server that exits before it listens', async () => {
  await expect(Server.start('no-such-script.ts', [])).rejects.toThrow(
    /printed no URL:[\s\S]*Cannot find module/,
  );
});

test('the servers of the benchmark exit with it, even if it is killed', async () => {
  const file = new URL('../bench/servers.ts', import.meta.url).href;
  const code = `import(${JSON.stringify(file)})
    .then(({ Server }) => Server.start(${JSON.stringify(SCRIPT)}, []))
    .then(({ baseUrl }) => console.log(baseUrl));`;
  const bench = spawn(process.execPath, ['--eval', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => {
    bench.kill('SIGKILL');
  });
  const [printed] = await once(bench.stdout, 'data');
  const baseUrl = String(printed).trim();
  expect(await isServing(baseUrl)).toBe(true);
  bench.kill('SIGKILL');
  await expect.poll(() => isServing(baseUrl)).toBe(false);
});
