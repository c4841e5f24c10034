import { monitorEventLoopDelay } from 'node:perf_hooks';
import { buildApp } from '../../server/app.ts';
import { readSettings } from '../../server/config.ts';
import { openJsonFileStore } from '../../server/store/json-file/json-file-store.ts';

/**
 * The server with a given folder. On any message it reports how long it took to open, its memory, and
 * its longest event-loop stall since the last report.
 */
const [folder = ''] = process.argv.slice(2);
const fail = (error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
};
const start = performance.now();
const store = await openJsonFileStore(folder, { onError: fail, onWarning: fail });
const openMs = performance.now() - start;
const app = await buildApp({ settings: readSettings(), store });
const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();
process.on('message', () => {
  process.send?.({ openMs, rssBytes: process.memoryUsage().rss, stallMs: delay.max / 1e6 });
  delay.reset();
});
process.stdout.write(`${await app.listen({ host: '127.0.0.1', port: 0 })}\n`);
