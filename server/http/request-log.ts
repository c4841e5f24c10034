import {
  type FastifyBaseLogger,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { hasIgnoredForwardedFor } from './unnamed-proxy.ts';

/**
 * One line a request. It names the route's pattern, never the path: an alias, a go-link, a target
 * or a client's address is nobody's business in a log. (Fastify's own lines hold path and address,
 * and are turned off.)
 */
export class RequestLog extends LogController {
  #hasWarned = false;

  constructor() {
    super({ disableRequestLogging: true });
  }

  override incomingRequest(request: FastifyRequest): void {
    if (this.#hasWarned || !hasIgnoredForwardedFor(request)) return;
    this.#hasWarned = true;
    request.log.warn(
      'X-Forwarded-For is ignored, since TRUST_PROXY does not name where it came from. Behind a proxy, name the proxy there: until then all visitors count as one client.',
    );
  }

  override requestCompleted(_error: unknown, request: FastifyRequest, reply: FastifyReply): void {
    logAnswer(request.log, {
      reqId: request.id,
      method: request.method,
      route: request.routeOptions.url ?? 'none',
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
    });
  }
}

type Answer = {
  reqId: string;
  method: string;
  /** The pattern. */
  route: string;
  status: number;
  ms: number;
};

export function logAnswer(log: FastifyBaseLogger, answer: Answer): void {
  log.info(answer, 'answered');
}
