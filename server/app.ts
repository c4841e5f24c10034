import fastify, { type FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { BODY_MAX_BYTES } from '../shared/bounds.ts';
import { systemTime, type Time } from '../shared/time.ts';
import { createPasswords, type PasswordCost } from './accounts/passwords.ts';
import { BlockedHostsFile, BlockList } from './blocks/block-list.ts';
import { compatRoutes } from './compat/compat.ts';
import { configurationWarnings, type Settings } from './config.ts';
import { loadBrand } from './domains/brand.ts';
import { Domains } from './domains/short-domains.ts';
import { pooledRandomBytes } from './lib/random-bytes.ts';
import type { BuiltFiles } from './lib/shipped-files.ts';
import {
  createAliasAnswers,
  createEditRate,
  createGuessedLinks,
  createStatisticsRate,
} from './limits/client-limits.ts';
import { ENOUGH_MEMORY, type Memory } from './limits/heap-watch.ts';
import { limitTable } from './limits/limit-table.ts';
import { Limits } from './limits/limits.ts';
import { createShortener } from './links/create-link.ts';
import { Traffic } from './metrics/traffic.ts';
import { apiRoutes } from './routes/api/api.ts';
import { dashboardRoutes } from './routes/dashboard.ts';
import { homeRoutes } from './routes/home.ts';
import { visitRoutes } from './routes/visit/short-link.ts';
import type { Store } from './store/store.ts';
import { UnknownThrottle } from './visits/link-finder.ts';
import { createTargetChooser } from './visits/redirect-target.ts';
import { VisitRecorder } from './visits/visit-recorder.ts';
import { limitPipelining } from './web/http/connections.ts';
import { answerClientError, createHttpServer } from './web/http/http-server.ts';
import { createLog, type LogStream, openLog } from './web/http/log/log.ts';
import { RequestLog } from './web/http/log/request-log.ts';
import { TrafficSummary } from './web/http/log/traffic-summary.ts';
import { rewritePath } from './web/http/request-path.ts';
import { createShortenLimit } from './web/plugins/endpoint.ts';
import { errors } from './web/plugins/errors.ts';
import { requestBodies } from './web/plugins/request-bodies.ts';
import { unreadResponses } from './web/plugins/unread-responses.ts';
import { Brands, pages } from './web/views/assets.ts';

/** How long `close` waits for pending requests. */
const STOP_GRACE_MS = 5_000;
/** Longer than any request line that Node.js accepts, so that long aliases get the 404 page. */
const MAX_PARAM_LENGTH = 16_384;

export type AppOptions = {
  settings: Settings;
  store: Store;
  /** @default systemTime */
  time?: Time;
  /** @default crypto.randomBytes, buffered */
  randomBytes?: (size: number) => Buffer;
  /** Destination of the log. @default what the settings say */
  logStream?: LogStream;
  /** @default one to `logStream` */
  log?: Logger;
  /** Of hashes of new passwords. @default see `createPasswords` */
  passwordCost?: PasswordCost;
  /** The built dashboard. Without it, `/dashboard` explains how to build it. */
  dashboard?: BuiltFiles | undefined;
  /** Counts what the server does. */
  traffic?: Traffic;
  /** Of the process. It counts only if the store has its links in memory. @default enough */
  memory?: Memory;
  /** What the store warned of on opening. @default none */
  storeWarnings?: readonly string[];
};

/**
 * Builds the application. Does not read the environment, open the store or listen.
 *
 * @throws SettingsError if a file that the settings name can't be read
 */
export async function buildApp({
  settings,
  store,
  time = systemTime,
  randomBytes = pooledRandomBytes(),
  logStream = openLog(settings.logFile),
  log = createLog(settings, logStream, time.monotonic),
  passwordCost,
  dashboard,
  traffic = new Traffic(),
  memory = ENOUGH_MEMORY,
  storeWarnings = [],
}: AppOptions): Promise<FastifyInstance> {
  const clock = time.now;
  const brand = loadBrand(settings);
  const dataSecret = await store.secret();
  const settingsWarnings = configurationWarnings(settings, store.domains);
  const blockedHosts =
    settings.blockedHosts === undefined
      ? undefined
      : await BlockedHostsFile.open({
          path: settings.blockedHosts,
          time,
          onWarning: (message) => log.warn(message),
          onReload: (hosts) => {
            // An empty file may be a mistake of what writes it.
            log[hosts === 0 ? 'warn' : 'info']({ hosts }, 'BLOCKED_HOSTS has been read again');
          },
        });
  if (blockedHosts?.openingWarning) settingsWarnings.push(blockedHosts.openingWarning);
  const blocks = new BlockList(store, blockedHosts);
  const visits = settings.statistics
    ? new VisitRecorder({
        store,
        countryHeader: settings.countryHeader,
        trustProxy: settings.trustProxy,
        time,
        randomBytes,
        onError: (error) => log.error({ err: error }, 'visits could not be stored'),
      })
    : undefined;
  const requestLog = new RequestLog({ settings, log, stream: logStream, traffic, time });
  const app = fastify({
    logController: requestLog,
    trustProxy: settings.trustProxy.length > 0 ? settings.trustProxy : false,
    bodyLimit: BODY_MAX_BYTES,
    serverFactory: (handler) => createHttpServer(limitPipelining(handler)),
    // On close, pending requests complete and idle keep-alive connections are closed.
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH, ignoreTrailingSlash: true },
    clientErrorHandler: (error, socket) => answerClientError(error, socket, time),
    rewriteUrl: rewritePath,
  });

  // Fastify would make a second route for it.
  app.addHook('onRoute', (route) => {
    if (route.method === 'GET' && route.exposeHeadRoute !== false) route.method = ['GET', 'HEAD'];
  });
  const limits = await Limits.register(app, {
    table: limitTable(settings),
    counters: store.counters,
    secret: dataSecret,
    time,
    onError: (error) => log.error({ err: error }, 'limits are not shared with other servers'),
  });
  const domains = new Domains(store, () => settings.baseUrl ?? localhost(app, settings));
  const dependencies = {
    settings,
    domains,
    store,
    clock,
    randomBytes,
    secret: settings.secret === undefined ? dataSecret : Buffer.from(settings.secret),
    dataSecret,
    // The other half of the threads is for file access and DNS.
    passwords: createPasswords({
      maxRunning: Math.max(1, Math.floor(settings.uvThreadpoolSize / 2)),
      cost: passwordCost,
    }),
    blocks,
    edits: createEditRate(limits),
    aliasAnswers: createAliasAnswers(limits),
    guessedLinks: createGuessedLinks(limits),
    statisticsRate: createStatisticsRate(limits),
    chooseTarget: createTargetChooser({ settings, clock, randomBytes }),
    visits,
    traffic,
    memory: store.growsInMemory ? memory : ENOUGH_MEMORY,
    warnings: [...settingsWarnings, ...storeWarnings],
  };

  const throttle = new UnknownThrottle(limits.exchanged('unknown'), time);
  app.log = log;
  // Otherwise connections with pending requests would stay open for further requests.
  app.addHook('preClose', async () => {
    app.server.keepAliveTimeout = 1;
    app.server.keepAliveTimeoutBuffer = 0;
    // Node.js stops checking request timeouts on close, so a stalled client would block it.
    time.after(STOP_GRACE_MS, () => app.server.closeAllConnections());
  });
  const takeUnlogged = () => requestLog.takeUnlogged();
  const summary = new TrafficSummary({ traffic, log, time, takeUnlogged });
  app.addHook('onClose', async () => {
    blockedHosts?.close();
    summary.close();
    await visits?.close();
  });
  // Each kind of route adds the parser of what it accepts.
  app.removeAllContentTypeParsers();
  await app.register(requestBodies);
  app.decorate('reporting', settings);
  await app.register(pages, {
    brands: new Brands(brand, domains, (message) => log.warn(message)),
  });
  await app.register(errors, { traffic, domains });
  await app.register(unreadResponses, { time });
  // After those hooks that may send another response.
  requestLog.addTo(app);
  // The API and the home page create links with the same limits.
  const shortening = {
    shorten: createShortener(dependencies, limits),
    limit: createShortenLimit(limits),
  };
  // Not as its options: it would pass the prefix on to its own routes.
  await app.register((api) => apiRoutes(api, { ...dependencies, limits, ...shortening }), {
    prefix: '/api',
  });
  if (settings.compat) {
    await app.register(compatRoutes, {
      ...dependencies,
      shorten: shortening.shorten,
      limit: shortening.limit,
    });
  }
  await app.register(dashboardRoutes, { settings, domains, files: dashboard });
  const hasDashboard = dashboard !== undefined && settings.customGtm !== 'unsandboxed';
  await app.register(homeRoutes, { ...dependencies, ...shortening, hasDashboard });
  await app.register(visitRoutes, { ...dependencies, limits, throttle, requestLog });
  for (const warning of settingsWarnings) log.warn(warning);
  return app;
}

function localhost({ server }: FastifyInstance, settings: Settings): string {
  const address = server.address();
  const isListening = address !== null && typeof address === 'object';
  return new URL(`http://localhost:${isListening ? address.port : settings.port}`).origin;
}
