import { type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import { hasUntrustedForwardedFor } from '../limits/unnamed-proxy.ts';
import type { LogStream } from './log-stream.ts';

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
 * Logs one line per request with the route's pattern instead of the path, because logs must not
 * contain aliases, go-links, targets or client addresses. Fastify's own log lines contain path and
 * address, so they are disabled.
 */
export class RequestLog extends LogController {
  readonly #stream: LogStream;
  readonly #isOn: boolean;
  #hasWarned = false;

  /** @param isOn whether lines of level `info` are logged */
  constructor(stream: LogStream, isOn: boolean) {
    super({ disableRequestLogging: true });
    this.#stream = stream;
    this.#isOn = isOn;
  }

  override incomingRequest(request: FastifyRequest): void {
    if (this.#hasWarned || !hasUntrustedForwardedFor(request)) return;
    this.#hasWarned = true;
    request.log.warn(
      'X-Forwarded-For is ignored because TRUST_PROXY does not include its sender. If Curt is behind a proxy, add the proxy to TRUST_PROXY. Until then, all visitors count as one client.',
    );
  }

  override requestCompleted(_error: unknown, request: FastifyRequest, reply: FastifyReply): void {
    this.add({
      reqId: request.id,
      method: request.method,
      route: request.routeOptions.url ?? 'none',
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
    });
  }

  /** Formats the line like pino, which would take ten times as long. */
  add({ reqId, method, route, status, ms }: LoggedAnswer): void {
    if (!this.#isOn) return;
    const line = `{"level":30,"time":${Date.now()},"reqId":"${reqId}","method":"${method}","route":${JSON.stringify(route)},"status":${status},"ms":${ms},"msg":"answered"}\n`;
    if (this.#stream.writeSoon) this.#stream.writeSoon(line);
    else this.#stream.write(line);
  }
}
