import { type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import type { Settings } from '../../../config.ts';
import { hasUntrustedForwardedFor } from '../../../limits/unnamed-proxy.ts';
import type { Traffic } from '../../../metrics/traffic.ts';
import type { LogStream } from './log-stream.ts';

const LEVELS_WITH_REQUESTS = ['info', 'debug', 'trace'];
/** The lowest status that is logged. */
const LOWEST_STATUS = { all: 0, errors: 400, none: Number.POSITIVE_INFINITY };

export type LoggedAnswer = {
  reqId: string;
  method: string;
  /** The pattern. */
  route: string;
  status: number;
  /** Rounded. */
  ms: number;
};

/**
 * Counts requests, and logs those that `LOG_REQUESTS` asks for: one line per request with the route's pattern instead of the path, because logs must not
 * contain aliases, go-links, targets or client addresses. Fastify's own log lines contain path and
 * address, so they are disabled.
 */
export class RequestLog extends LogController {
  readonly #stream: LogStream;
  readonly #traffic: Traffic;
  readonly #lowestStatus: number;
  #hasWarned = false;

  constructor(
    stream: LogStream,
    { logLevel, logRequests }: Pick<Settings, 'logLevel' | 'logRequests'>,
    traffic: Traffic,
  ) {
    super({ disableRequestLogging: true });
    this.#stream = stream;
    this.#traffic = traffic;
    this.#lowestStatus =
      LOWEST_STATUS[LEVELS_WITH_REQUESTS.includes(logLevel) ? logRequests : 'none'];
  }

  override incomingRequest(request: FastifyRequest): void {
    if (this.#hasWarned || !hasUntrustedForwardedFor(request)) return;
    this.#hasWarned = true;
    request.log.warn(
      'X-Forwarded-For is ignored because TRUST_PROXY does not include its sender. If Curt is behind a proxy, add the proxy to TRUST_PROXY. Until then, all visitors count as one client.',
    );
  }

  override requestCompleted(_error: unknown, request: FastifyRequest, reply: FastifyReply): void {
    const { id: reqId, method } = request;
    const { statusCode: status, elapsedTime } = reply;
    const route = request.routeOptions.url ?? 'none';
    this.#traffic.countRequest(method, route, status, elapsedTime);
    if (this.logs(status)) this.add({ reqId, method, route, status, ms: Math.round(elapsedTime) });
  }

  /** Whether a response with this status is logged. */
  logs(status: number): boolean {
    return status >= this.#lowestStatus;
  }

  /** Formats the line like pino, which would take ten times as long. */
  add({ reqId, method, route, status, ms }: LoggedAnswer): void {
    const line = `{"level":30,"time":${Date.now()},"reqId":"${reqId}","method":"${method}","route":${JSON.stringify(route)},"status":${status},"ms":${ms},"msg":"answered"}\n`;
    if (this.#stream.writeSoon) this.#stream.writeSoon(line);
    else this.#stream.write(line);
  }
}
