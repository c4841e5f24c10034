import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { clientAddress, hasUntrustedForwardedFor } from '../../limits/client-address.ts';
import { LinkGoneError } from '../../visits/link-finder.ts';
import { forwardedQuery, splitGoQuery, type Visit, withQuery } from '../../visits/visit.ts';

/** Reads what a visit is, of its request. */
export function readVisit(
  request: FastifyRequest,
  { alias } = request.params as { alias: string },
): Visit {
  return {
    method: request.method,
    alias,
    url: request.url,
    host: request.host,
    headers: request.headers,
    sender: request.socket.remoteAddress ?? '',
    address: clientAddress(request),
    hasUntrustedForwardedFor: hasUntrustedForwardedFor(request),
  };
}

const REDIRECT_HEADERS = { 'cache-control': 'private, no-store', 'x-robots-tag': 'noindex' };
/** As `writeHead` takes them. */
const RAW_HEADERS = Object.entries(REDIRECT_HEADERS).flat();

export type SentLog = { answered(request: FastifyRequest, status: number): void };

/**
 * Redirects a visitor. It is done when it returns.
 *
 * @param status 303 after a POST, so that the password is not sent to the target
 */
export function sendRedirect(
  reply: FastifyReply,
  location: string,
  requestLog: SentLog,
  status: 302 | 303 = 302,
): undefined {
  // Not by Fastify's reply, whose hooks and events take as long as the rest of a visit.
  reply.raw.writeHead(status, [...RAW_HEADERS, 'location', location, 'content-length', '0']).end();
  reply.hijack();
  requestLog.answered(reply.request, status);
  return undefined;
}

/**
 * Redirects visits of a link that is expired, used up or paused to its `goneUrl`, whatever format the client
 * prefers. It is no hit. Not for `/<alias>+`, which never redirects.
 */
export function addGoneFallback(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => {
    const { alias = '' } = request.params as { alias?: string };
    if (!(error instanceof LinkGoneError) || error.goneUrl === null || alias.endsWith('+')) {
      throw error;
    }
    const isGoLink = request.routeOptions.url?.endsWith('/go');
    const url = isGoLink ? splitGoQuery(request.url).url : request.url;
    const location = withQuery(error.goneUrl, forwardedQuery(error.link, url));
    const status = request.method === 'POST' ? 303 : 302;
    return reply.headers(REDIRECT_HEADERS).redirect(location, status);
  });
}
