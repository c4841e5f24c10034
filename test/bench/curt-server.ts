import { monitorEventLoopDelay } from 'node:perf_hooks';
import { buildApp } from '../../server/app.ts';
import { readSettings } from '../../server/config.ts';
import { openJsonFileStore } from '../../server/store/json-file/json-file-store.ts';

/** The server without its limits; on any message it reports on itself, and begins to measure anew. */
const [folder = ''] = process.argv.slice(2);
const fail = (error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
};
const start = performance.now();
const store = await openJsonFileStore(folder, { clock: Date.now, onError: fail, onWarning: fail });
const openMs = performance.now() - start;
const settings = readSettings({
  RATE_LIMIT_PER_MINUTE: '1000000000',
  MONTHLY_QUOTA: '1000000000',
  ANONYMOUS_PER_DAY: '1000000000',
  LOG_LEVEL: 'warn',
});
const app = await buildApp({ settings, store });
const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();
process.on('message', () => {
  process.send?.({ openMs, rssBytes: process.memoryUsage().rss, stallMs: delay.max / 1e6 });
  delay.reset();
});
// Whoever started it is gone.
process.on('disconnect', () => process.exit());
process.send?.(await app.listen({ host: '127.0.0.1', port: 0 }));
