import { flushCompileCache } from 'node:module';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { sleep, systemTime } from '../shared/time.ts';
import { buildApp } from './app.ts';
import { checkStart, describeListenError } from './check-start.ts';
import { hasAdministrators, readSettings } from './config.ts';
import { SettingsError } from './lib/settings.ts';
import { DASHBOARD_FOLDER, readBuiltFiles } from './lib/shipped-files.ts';
import { HeapWatch } from './limits/heap-watch.ts';
import { startMetrics } from './metrics/metrics-server.ts';
import { Traffic } from './metrics/traffic.ts';
import { StoreOpenError, type StoreOverview, StoreUnavailableError } from './store/store.ts';
import { openStore } from './store/tools/open.ts';
import { createLog, type LogStream, openLog } from './web/http/log/log.ts';

const DASHBOARD_MISSING =
  'The dashboard has not been built, so there is none at /dashboard. To get it, run "npm run build" and restart the server.';

const NO_ADMINISTRATOR =
  'There is no administrator. To be one, set ADMIN_TOKEN to the output of "openssl rand -hex 32", restart the server, and sign in at /dashboard/admin.';

/** Docker kills the process 10 seconds after it asked it to stop. */
const STOP_MS = 8_000;

/** How long whoever reads the log has for its last lines. */
const LAST_LINES_MS = 1000;

const SLOW_STOP =
  'The server has stopped without waiting any longer for its store. Visits of the last seconds may be lost.';

/** Their messages say what to do, or what has to end. */
const OPERATOR_ERRORS = [SettingsError, StoreOpenError, StoreUnavailableError];

type Closeable = { close(): Promise<void> };

/** Starts the server, and stops it on a signal. With `--check`, only checks whether it could start. */
async function main(): Promise<void> {
  // If they are files on a full disk, for example, the server goes on.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  const settings = readSettings();
  if (process.argv.includes('--check')) return checkStart(settings);
  const logStream = openLog(settings.logFile);
  /** In the order in which they were started. */
  const running: Closeable[] = [];
  onSignals({
    stop: () => stop(running, logStream).catch(fail),
    reopenLog: () => logStream.reopen?.(),
  });
  const storeWarnings: string[] = [];
  const log = createLog(settings, logStream, systemTime.monotonic);
  const memory = new HeapWatch({ onWarning: (message) => log.warn(message) });
  const store = await openStore(settings.storeUrl, {
    readUrl: settings.storeReadUrl,
    readAgain: () => {
      const { storeUrl: url, storeReadUrl: readUrl } = readSettings();
      return { url, readUrl };
    },
    onError: (error) => log.error({ err: error }, 'the store reports an error'),
    onWarning: (message) => {
      storeWarnings.push(message);
      process.stderr.write(`${message}\n`);
    },
  });
  running.push(store);
  const overview = await store.overview();
  const dashboard = readBuiltFiles(DASHBOARD_FOLDER);
  const traffic = new Traffic();
  const app = await buildApp({
    ...{ settings, store, traffic, dashboard, memory, storeWarnings, logStream, log },
  });
  running.push(app);
  // First: without the metrics that were asked for, the server answers no request.
  const metrics = await startMetrics({ settings, traffic, store, memory });
  if (metrics) running.push(metrics);
  // Suppresses Fastify's own line for each address, in favor of the one below.
  log.level = 'warn';
  await app.listen({ host: settings.host, port: settings.port }).catch((error: unknown) => {
    throw new SettingsError(describeListenError(error as NodeJS.ErrnoException, settings));
  });
  log.level = settings.logLevel;
  // The process may be killed before the end, when Node.js would do it.
  flushCompileCache();
  const address = app.server.address() as AddressInfo;
  const baseUrl = settings.baseUrl ?? `http://localhost:${address.port}`;
  process.stdout.write(`${greeting(address, baseUrl)}\n`);
  process.stdout.write(`${dataLine(overview)}\n`);
  if (!dashboard) process.stderr.write(`${DASHBOARD_MISSING}\n`);
  if (!hasAdministrators(settings)) process.stdout.write(`${NO_ADMINISTRATOR}\n`);
  if (metrics) process.stdout.write(`Metrics are at ${metrics.url}\n`);
  if (settings.logFile) process.stdout.write(`The log is in ${resolve(settings.logFile)}\n`);
  // Last, because it is what somebody who starts a server looks for.
  if (dashboard) process.stdout.write(`The dashboard is at ${baseUrl}/dashboard\n`);
  const { usedBytes: memoryUsedBytes, limitBytes: memoryLimitBytes } = memory;
  log.info({ memoryUsedBytes, memoryLimitBytes }, 'memory in use after the start');
}

/** Calls back on the signals that service managers, process managers and log rotation send. */
function onSignals({ stop, reopenLog }: { stop: () => void; reopenLog: () => void }): void {
  let isStopping = false;
  // With npm, Ctrl+C arrives twice.
  const stopOnce = () => {
    if (!isStopping) stop();
    isStopping = true;
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGQUIT', 'SIGUSR2'] as const) {
    const early = process.listeners(signal);
    // Before the one of start.js goes, which exits at once: without any, a signal would be lost.
    process.on(signal, stopOnce);
    for (const listener of early) process.off(signal, listener);
  }
  // A terminal that is closed sends it, too.
  const hasTerminal = process.stdin.isTTY || process.stdout.isTTY;
  process.on('SIGHUP', hasTerminal ? stopOnce : reopenLog);
  process.on('SIGUSR1', reopenLog);
}

async function stop(running: Closeable[], log: LogStream): Promise<void> {
  setTimeout(() => fail(new StoreUnavailableError(SLOW_STOP)), STOP_MS).unref();
  // The server before its store: pending requests may still write.
  for (const part of running.toReversed()) await part.close();
  await Promise.race([log.written?.(), sleep(systemTime, LAST_LINES_MS)]);
  process.exit(0);
}

/** A wrong STORE_URL opens a new folder, and all links seem to be lost. */
function dataLine({ location, links, isNew }: StoreOverview): string {
  const content = isNew ? 'which is new' : `with ${links} ${links === 1 ? 'link' : 'links'}`;
  return `The data is in ${location}, ${content}`;
}

const LOOPBACK_URL = /^https?:\/\/(localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/;

function greeting({ address, family, port }: AddressInfo, start: string): string {
  const isLoopback = address === '127.0.0.1' || address === '::1';
  const host = isLoopback ? 'localhost' : family === 'IPv6' ? `[${address}]` : address;
  const greeting = `Curt listens on http://${host}:${port}`;
  if (!LOOPBACK_URL.test(start)) return `${greeting}. Short links start with ${start} (BASE_URL)`;
  const forThisMachine = `Short links start with ${start}, which works only on this machine.`;
  // Others may come through a proxy on this machine.
  if (isLoopback) return `${greeting}\n${forThisMachine} For others, set BASE_URL.`;
  return `${greeting}. ${forThisMachine} Set BASE_URL to the public address.`;
}

function fail(error: unknown): never {
  const isOperatorError = OPERATOR_ERRORS.some((kind) => error instanceof kind);
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(isOperatorError ? `${message}\n` : `Curt failed: ${message}\n`);
  process.exit(1);
}

main().catch(fail);
