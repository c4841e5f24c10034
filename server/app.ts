import accepts from '@fastify/accepts';
import fastify, { type FastifyInstance } from 'fastify';
import { BODY_MAX_BYTES } from '../shared/limits.ts';
import { createPasswords } from './accounts/passwords.ts';
import type { Settings } from './config.ts';
import type { Service } from './core/context.ts';
import { pooledRandomBytes } from './core/random-bytes.ts';
import { ShortDomain } from './core/short-domain.ts';
import { answerClientError } from './http/answer-client-error.ts';
import { createHttpServer } from './http/create-http-server.ts';
import { serializeError } from './http/error-log.ts';
import { type LogStream, standardOutput } from './http/log-stream.ts';
import { toOriginForm } from './http/origin-form.ts';
import { requestIds } from './http/request-ids.ts';
import { RequestLog } from './http/request-log.ts';
import { pages } from './pages/pages.ts';
import { emptyBodies } from './plugins/empty-bodies.ts';
import { errors } from './plugins/errors.ts';
import { apiRoutes } from './routes/api.ts';
import { visitRoutes } from './routes/visit.ts';
import type { Store } from './store/store.ts';
import { FastRedirects } from './visit/fast-redirects.ts';
import { RedirectCache } from './visit/redirect-cache.ts';
import { UnknownThrottle } from './visit/unknown-throttle.ts';

const STOP_GRACE_MS = 10_000;
/** An alias of any length shall be answered by the 404 page, and Node ends a request line before this. */
const MAX_PARAM_LENGTH = 16_384;
const LEVELS_WITH_REQUESTS = ['info', 'debug', 'trace'];

export type AppOptions = {
  settings: Settings;
  store: Store;
  /** @default Date.now */
  clock?: () => number;
  /** Of all limits. @default performance.now */
  monotonicClock?: () => number;
  /** @default crypto.randomBytes, drawn many at a time */
  randomBytes?: (size: number) => Buffer;
  /** How long a stop waits for requests that do not come to their end. @default 10_000 */
  stopGraceMs?: number;
  /** Where log lines go. @default stdout */
  logStream?: LogStream;
};

/** Puts the service together. It neither reads the environment, nor opens the store, nor listens. */
export async function buildApp({
  settings,
  store,
  clock = Date.now,
  monotonicClock = () => performance.now(),
  randomBytes = pooledRandomBytes(),
  stopGraceMs = STOP_GRACE_MS,
  logStream = standardOutput(),
}: AppOptions): Promise<FastifyInstance> {
  const dataSecret = await store.secret();
  let shortDomain: ShortDomain | undefined;
  const service: Service = {
    settings,
    store,
    clock,
    monotonicClock,
    randomBytes,
    shortDomain: () => {
      shortDomain ??= new ShortDomain(settings.baseUrl ?? localhost(app, settings));
      return shortDomain;
    },
    secret: settings.secret === undefined ? dataSecret : Buffer.from(settings.secret),
    idempotencySecret: dataSecret,
    // The other half of the threads serves the store's files and DNS.
    passwords: createPasswords({
      maxRunning: Math.max(1, Math.floor(settings.threadPoolSize / 2)),
    }),
  };

  const throttle = new UnknownThrottle(service);
  const redirects = new RedirectCache(store);
  const nextRequestId = requestIds();
  const requestLog = new RequestLog(logStream, LEVELS_WITH_REQUESTS.includes(settings.logLevel));
  const fastRedirects = new FastRedirects({
    redirects,
    throttle,
    trustProxy: settings.trustProxy,
    clock,
    nextRequestId,
    log: requestLog,
  });
  const app = fastify({
    logger: {
      level: settings.logLevel,
      // Names the client and the server process to nobody.
      base: null,
      serializers: { err: serializeError },
      stream: logStream,
    },
    // A logger for each request would take longer than the look-up: who logs names the request.
    childLoggerFactory: (logger) => logger,
    logController: requestLog,
    trustProxy: settings.trustProxy.length > 0 ? settings.trustProxy : false,
    bodyLimit: BODY_MAX_BYTES,
    genReqId: nextRequestId,
    serverFactory: (handler) => createHttpServer(fastRedirects.before(handler)),
    // What is under way is finished; a kept-alive connection without a request is not.
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH, ignoreTrailingSlash: true },
    clientErrorHandler: answerClientError,
    rewriteUrl: ({ url = '/' }) => toOriginForm(url),
  });

  // What is under way when the server stops would keep its connection open for a next request.
  app.addHook('preClose', async () => {
    fastRedirects.stop();
    app.server.keepAliveTimeout = 1;
    app.server.keepAliveTimeoutBuffer = 0;
    // Node ends its request timeouts with the listening: a client that stalls would hold the stop.
    setTimeout(() => app.server.closeAllConnections(), stopGraceMs).unref();
  });
  // An API that takes JSON reads nothing else: text would arrive unread, and be a 400 instead of a 415.
  app.removeContentTypeParser('text/plain');
  await app.register(emptyBodies);
  await app.register(accepts);
  await app.register(pages);
  await app.register(errors);
  await app.register(apiRoutes, { prefix: '/api', service });
  await app.register(visitRoutes, { service, throttle, redirects });
  if (settings.baseUrl?.startsWith('https:') && settings.trustProxy.length === 0) {
    app.log.warn(
      'BASE_URL is https, so a proxy stands in front of Curt, but TRUST_PROXY names none. Until it does, all visitors count as one client.',
    );
  }
  return app;
}

function localhost({ server }: FastifyInstance, settings: Settings): string {
  const address = server.address();
  const isListening = address !== null && typeof address === 'object';
  return `http://localhost:${isListening ? address.port : settings.port}`;
}
