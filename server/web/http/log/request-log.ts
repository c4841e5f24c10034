import { type FastifyInstance, type FastifyRequest, LogController } from 'fastify';
import type { Logger } from 'pino';
import type { Time } from '../../../../shared/time.ts';
import type { Settings } from '../../../config.ts';
import { hasUntrustedForwardedFor } from '../../../limits/client-address.ts';
import type { Traffic } from '../../../metrics/traffic.ts';
import type { LogStream } from './log.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Monotonic milliseconds. */
    startedAt: number;
  }
}

const LEVELS_WITH_REQUESTS = ['info', 'debug', 'trace'];
/** The lowest status that is logged. */
const LOWEST_STATUS = { all: 0, errors: 400, none: Number.POSITIVE_INFINITY };
/** Lines of failed requests between two summaries: anybody can send thousands a second that are refused. */
const FAILED_LINES_MAX = 100;

type Options = {
  settings: Pick<Settings, 'logLevel' | 'logRequests'>;
  log: Pick<Logger, 'warn'>;
  stream: LogStream;
  traffic: Traffic;
  time: Time;
};

/**
 * Counts requests, and logs those that `LOG_REQUESTS` asks for: one line per request with the route's pattern
 * instead of the path, because logs must not contain aliases, go-links, targets or client addresses.
 *
 * Fastify's own log is off: its lines contain path and address, and it would listen to two events of every response.
 */
export class RequestLog extends LogController {
  readonly #options: Options;
  readonly #lowestStatus: number;
  readonly #linesMax: number;
  #lines = 0;
  /** Failed requests without a line, by route and status. */
  #unlogged = new Map<string, number>();
  #hasWarned = false;

  constructor(options: Options) {
    super({ disableRequestLogging: true });
    this.#options = options;
    const { logLevel, logRequests } = options.settings;
    this.#lowestStatus =
      LOWEST_STATUS[LEVELS_WITH_REQUESTS.includes(logLevel) ? logRequests : 'none'];
    this.#linesMax = logRequests === 'all' ? Number.POSITIVE_INFINITY : FAILED_LINES_MAX;
  }

  /** Called by Fastify for each request. */
  override incomingRequest(request: FastifyRequest): void {
    request.startedAt = this.#options.time.monotonic();
    if (this.#hasWarned || !hasUntrustedForwardedFor(request)) return;
    this.#hasWarned = true;
    this.#options.log.warn(
      'X-Forwarded-For is ignored because TRUST_PROXY does not include its sender. If Curt is behind a proxy, add the proxy to TRUST_PROXY. Until then, all visitors count as one client.',
    );
  }

  /** Counts all responses that Fastify sends. */
  addTo(app: FastifyInstance): void {
    app.decorateRequest('startedAt', 0);
    app.addHook('onSend', (request, reply, payload, done) => {
      reply.raw.once('finish', () => this.answered(request, reply.statusCode));
      done(null, payload);
    });
  }

  /** Must be called once for each response that was sent. */
  answered(request: FastifyRequest, status: number): void {
    const { id, method, startedAt } = request;
    const elapsedMs = this.#options.time.monotonic() - startedAt;
    const route = request.routeOptions.url ?? 'none';
    this.#options.traffic.countRequest(method, route, status, elapsedMs);
    if (status < this.#lowestStatus) return;
    if (this.#lines < this.#linesMax) {
      this.#lines++;
      this.#add(id, method, route, status, Math.round(elapsedMs));
    } else {
      const key = `${route} ${status}`;
      this.#unlogged.set(key, (this.#unlogged.get(key) ?? 0) + 1);
    }
  }

  /** Returns how many failed requests had no line, such as `{ '/:alias 404': 12 }`, since this was called last. */
  takeUnlogged(): Record<string, number> {
    const unlogged = Object.fromEntries(this.#unlogged);
    this.#unlogged.clear();
    this.#lines = 0;
    return unlogged;
  }

  /** Formats the line like pino, which would take ten times as long. */
  #add(reqId: string, method: string, route: string, status: number, ms: number): void {
    const { stream, time } = this.#options;
    const line = `{"level":30,"time":${time.now()},"reqId":"${reqId}","method":"${method}","route":${JSON.stringify(route)},"status":${status},"ms":${ms},"msg":"answered"}\n`;
    if (stream.writeSoon) stream.writeSoon(line);
    else stream.write(line);
  }
}
