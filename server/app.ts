import fastify, { type FastifyInstance } from 'fastify';
import { BODY_MAX_BYTES } from '../shared/limits.ts';
import { createPasswords } from './accounts/passwords.ts';
import { BlockList } from './blocks/block-list.ts';
import { BlockedHostsFile } from './blocks/blocked-hosts-file.ts';
import type { Settings } from './config.ts';
import { configurationWarnings } from './configuration-warnings.ts';
import { loadBrand } from './domains/brand/brand.ts';
import { ShortDomains } from './domains/short-domains.ts';
import type { BuiltFiles } from './lib/built-files.ts';
import { MINUTE_MS } from './lib/durations.ts';
import { pooledRandomBytes } from './lib/random-bytes.ts';
import { ShortDomain } from './lib/short-domain.ts';
import { createAliasAnswers } from './limits/alias-answers.ts';
import { createEditRate } from './limits/edit-rate.ts';
import { createGuessedLinks } from './limits/guessed-links.ts';
import { LimitStores } from './limits/limit-stores.ts';
import { Limits } from './limits/limits.ts';
import { ENOUGH_MEMORY, type Memory } from './limits/memory.ts';
import { UnnamedProxy } from './limits/unnamed-proxy.ts';
import { createShortener } from './links/create-link.ts';
import { Traffic } from './metrics/traffic.ts';
import { apiRoutes } from './routes/api.ts';
import { dashboardRoutes } from './routes/dashboard.ts';
import { homeRoutes } from './routes/home.ts';
import { FastRedirects } from './routes/visit/fast-redirects.ts';
import { visitRoutes } from './routes/visit/visit-routes.ts';
import type { Store } from './store/store.ts';
import { createPlainLinkFinder } from './visits/plain-links.ts';
import { createTargetChooser } from './visits/target-chooser.ts';
import { VisitRecorder } from './visits/visit-recorder.ts';
import { toAliasPath } from './web/http/alias-path.ts';
import { answerClientError } from './web/http/answer-client-error.ts';
import { limitPipelining } from './web/http/connections.ts';
import { createHttpServer } from './web/http/create-http-server.ts';
import { repeatStoreErrorsEachMinute, serializeError } from './web/http/log/error-log.ts';
import { type LogStream, openLog } from './web/http/log/log-stream.ts';
import { requestIds } from './web/http/log/request-ids.ts';
import { RequestLog } from './web/http/log/request-log.ts';
import { TrafficSummary } from './web/http/log/traffic-summary.ts';
import { toOriginForm } from './web/http/origin-form.ts';
import { contentNegotiation } from './web/plugins/content-negotiation.ts';
import { emptyBodies } from './web/plugins/empty-bodies.ts';
import { errors } from './web/plugins/errors.ts';
import { onlyOnBaseUrl } from './web/plugins/only-on-base-url.ts';
import { requestBodies } from './web/plugins/request-bodies.ts';
import { createShortenLimit } from './web/plugins/shorten-rate.ts';
import { unreadResponses } from './web/plugins/unread-responses.ts';
import { Brands } from './web/views/brands.ts';
import { pages } from './web/views/pages.ts';

const STOP_GRACE_MS = 5_000;
/** Longer than any request line that Node.js accepts, so that long aliases get the 404 page. */
const MAX_PARAM_LENGTH = 16_384;

export type AppOptions = {
  settings: Settings;
  store: Store;
  /** @default Date.now */
  clock?: () => number;
  /** Used by all limits. @default performance.now */
  monotonicClock?: () => number;
  /** @default crypto.randomBytes, buffered */
  randomBytes?: (size: number) => Buffer;
  /** How long `close` waits for pending requests. @default 5_000 */
  stopGraceMs?: number;
  /** Destination of the log. @default what the settings say */
  logStream?: LogStream;
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
  clock = Date.now,
  monotonicClock = () => performance.now(),
  randomBytes = pooledRandomBytes(),
  stopGraceMs = STOP_GRACE_MS,
  logStream = openLog(settings.logFile),
  dashboard,
  traffic = new Traffic(),
  memory = ENOUGH_MEMORY,
  storeWarnings = [],
}: AppOptions): Promise<FastifyInstance> {
  const brand = loadBrand(settings);
  const dataSecret = await store.secret();
  const settingsWarnings = configurationWarnings(settings, store.domains);
  const blockedHosts =
    settings.blockedHosts === undefined
      ? undefined
      : await BlockedHostsFile.open({
          path: settings.blockedHosts,
          onWarning: (message) => app.log.warn(message),
          onReload: (hosts) => {
            // An empty file may be a mistake of what writes it.
            app.log[hosts === 0 ? 'warn' : 'info']({ hosts }, 'BLOCKED_HOSTS has been read again');
          },
        });
  if (blockedHosts?.openingWarning) settingsWarnings.push(blockedHosts.openingWarning);
  const blocks = new BlockList(store, blockedHosts);
  const visits = settings.statistics
    ? new VisitRecorder({
        store,
        countryHeader: settings.countryHeader,
        trustProxy: settings.trustProxy,
        clock,
        randomBytes,
        onError: (error) => app.log.error({ err: error }, 'visits could not be stored'),
      })
    : undefined;
  const limitStores = new LimitStores({
    counters: store.counters,
    secret: dataSecret,
    clock: monotonicClock,
    onError: (error) => app.log.error({ err: error }, 'limits are not shared with other servers'),
  });
  const edits = createEditRate(limitStores);
  const aliasAnswers = createAliasAnswers(limitStores, settings);
  const guessedLinks = createGuessedLinks(limitStores);
  let firstDomain: ShortDomain | undefined;
  const shortDomain = () => {
    firstDomain ??= new ShortDomain(settings.baseUrl ?? localhost(app, settings));
    return firstDomain;
  };
  const domains = new ShortDomains(store, shortDomain);
  const dependencies = {
    settings,
    domains,
    store,
    clock,
    randomBytes,
    shortDomain,
    secret: settings.secret === undefined ? dataSecret : Buffer.from(settings.secret),
    dataSecret,
    // The other half of the threads is for file access and DNS.
    passwords: createPasswords({
      maxRunning: Math.max(1, Math.floor(settings.threadPoolSize / 2)),
    }),
    blocks,
    edits,
    aliasAnswers,
    guessedLinks,
    chooseTarget: createTargetChooser({ settings, clock, randomBytes }),
    visits,
    traffic,
    memory: store.isInMemory ? memory : ENOUGH_MEMORY,
    warnings: [...settingsWarnings, ...storeWarnings],
  };

  const unknown = limitStores.exchanged({
    name: 'unknown',
    max: settings.unknownPerMinute,
    windowMs: MINUTE_MS,
  });
  const proxy = new UnnamedProxy();
  const nextRequestId = requestIds();
  const requestLog = new RequestLog(logStream, settings, traffic);
  const fastRedirects = new FastRedirects({
    findPlainLink: createPlainLinkFinder(dependencies),
    chooseTarget: dependencies.chooseTarget,
    store,
    domains,
    unknown,
    proxy,
    visits,
    traffic,
    trustProxy: settings.trustProxy,
    nextRequestId,
    log: requestLog,
  });
  const app = fastify({
    logger: {
      level: settings.logLevel,
      // Omits the process id and the host name.
      base: null,
      serializers: { err: serializeError },
      hooks: repeatStoreErrorsEachMinute(monotonicClock),
      stream: logStream,
    },
    // No child logger per request, because creating one takes longer than a lookup.
    childLoggerFactory: (logger) => logger,
    logController: requestLog,
    trustProxy: settings.trustProxy.length > 0 ? settings.trustProxy : false,
    bodyLimit: BODY_MAX_BYTES,
    genReqId: nextRequestId,
    serverFactory: (handler) => createHttpServer(fastRedirects.before(limitPipelining(handler))),
    // On close, pending requests complete and idle keep-alive connections are closed.
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH, ignoreTrailingSlash: true },
    clientErrorHandler: answerClientError,
    rewriteUrl: ({ url = '/' }) => toAliasPath(toOriginForm(url)),
  });

  // Otherwise connections with pending requests would stay open for further requests.
  app.addHook('preClose', async () => {
    fastRedirects.stop();
    app.server.keepAliveTimeout = 1;
    app.server.keepAliveTimeoutBuffer = 0;
    // Node.js stops checking request timeouts on close, so a stalled client would block it.
    setTimeout(() => app.server.closeAllConnections(), stopGraceMs).unref();
  });
  const summary = new TrafficSummary({ traffic, log: app.log, monotonicClock });
  app.addHook('onClose', async () => {
    blockedHosts?.close();
    summary.close();
    await limitStores.close();
    await visits?.close();
  });
  // Each kind of route adds the parser of what it accepts.
  app.removeAllContentTypeParsers();
  await app.register(emptyBodies);
  await app.register(requestBodies);
  await app.register(contentNegotiation);
  app.decorate('reporting', settings);
  await app.register(pages, {
    brands: new Brands(brand, domains, (message) => app.log.warn(message)),
  });
  await app.register(errors, { traffic, domains });
  await app.register(unreadResponses);
  const limits = await Limits.register(app, limitStores);
  // The API and the home page create links with the same limits.
  const shortening = {
    shorten: createShortener(dependencies, limits),
    limit: createShortenLimit(settings, limits),
  };
  // Not as its options: it would pass the prefix on to its own routes.
  await app.register((api) => apiRoutes(api, { ...dependencies, limits, ...shortening }), {
    prefix: '/api',
  });
  await app.register(async (other) => {
    await other.register(onlyOnBaseUrl, { domains });
    await other.register(dashboardRoutes, { settings, files: dashboard });
  });
  const hasDashboard = dashboard !== undefined && settings.customGtm !== 'unsandboxed';
  await app.register(homeRoutes, { ...dependencies, ...shortening, hasDashboard });
  await app.register(visitRoutes, { ...dependencies, limits, unknown: limits.of(unknown), proxy });
  for (const warning of settingsWarnings) app.log.warn(warning);
  return app;
}

function localhost({ server }: FastifyInstance, settings: Settings): string {
  const address = server.address();
  const isListening = address !== null && typeof address === 'object';
  return new URL(`http://localhost:${isListening ? address.port : settings.port}`).origin;
}
