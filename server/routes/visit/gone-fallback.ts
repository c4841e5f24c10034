import type { FastifyInstance } from 'fastify';
import { forwardedQuery, splitGoQuery, withQuery } from '../../visits/forwarded-query.ts';
import { LinkGoneError } from '../../visits/gone.ts';
import { REDIRECT_HEADERS } from '../../visits/send-to-target.ts';

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
    // 303 after a POST, so that the password is not sent on.
    const status = request.method === 'POST' ? 303 : 302;
    return reply.headers(REDIRECT_HEADERS).redirect(location, status);
  });
}
