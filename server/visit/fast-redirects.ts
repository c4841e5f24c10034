import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { addressOf } from '../http/client-ip.ts';
import { createForwardedIp } from '../http/forwarded-ip.ts';
import type { RequestLog } from '../http/request-log.ts';
import type { RedirectCache } from './redirect-cache.ts';
import type { UnknownThrottle } from './unknown-throttle.ts';
import { isVisitor } from './visitor.ts';

type Options = {
  redirects: RedirectCache;
  throttle: UnknownThrottle;
  /** Whose `X-Forwarded-For` is believed. */
  trustProxy: string[];
  /** Milliseconds since the epoch. */
  clock: () => number;
  /** The app's, so that no two requests have the same id. */
  nextRequestId: () => string;
  log: RequestLog;
};

/**
 * Answers visits whose redirect is ready, ahead of Fastify: its router, hooks and reply take longer
 * than all else that a redirect needs.
 *
 * It answers only what is as usual in every way, byte for byte as the route in
 * `routes/short-link.ts` would, with the same duties: expiry, hits, the limit of unknown aliases, the
 * line in the log. Everything else goes on to Fastify, where each of these has its answer.
 */
export class FastRedirects {
  readonly #options: Options;
  readonly #forwardedIp: (request: IncomingMessage) => string | undefined;
  #isStopped = false;

  constructor(options: Options) {
    this.#options = options;
    this.#forwardedIp = createForwardedIp(options.trustProxy);
  }

  /** @param next listens to all other requests */
  before(next: RequestListener): RequestListener {
    return (request, response) => {
      if (!this.#answer(request, response)) next(request, response);
    };
  }

  /** For a server that is about to close: Fastify tells clients so in each answer. */
  stop(): void {
    this.#isStopped = true;
  }

  /** @returns whether it did */
  #answer(request: IncomingMessage, response: ServerResponse): boolean {
    const { redirects, throttle, clock, nextRequestId, log } = this.#options;
    const { method = '', url = '' } = request;
    if (this.#isStopped || (method !== 'GET' && method !== 'HEAD')) return false;
    const redirect = redirects.get(pathOf(url));
    if (redirect === undefined || redirect.expiresAt <= clock()) return false;
    if (isUnusual(request)) return false;
    const address = addressOf(this.#forwardedIp(request) ?? '');
    if (address === undefined || throttle.lookUps.isReached(address)) return false;

    throttle.proxy.observe(address, false);
    if (isVisitor(request)) redirect.countHit();
    response.writeHead(302, redirect.headers).end();
    // Sent at once, so that no time has passed.
    log.add({ reqId: nextRequestId(), method, route: '/:alias', status: 302, ms: 0 });
    return true;
  }
}

function pathOf(url: string): string {
  const end = url.indexOf('?');
  return end === -1 ? url : url.slice(0, end);
}

/** Whether a header makes the request one that only Fastify and the app's hooks judge. */
function isUnusual({ headers }: IncomingMessage): boolean {
  return (
    // Missing, it may be refused.
    headers.host === undefined ||
    headers.expect !== undefined ||
    // A body.
    headers['content-length'] !== undefined ||
    headers['transfer-encoding'] !== undefined
  );
}
