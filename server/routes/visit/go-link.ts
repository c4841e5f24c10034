import type { FastifyInstance, FastifyReply } from 'fastify';
import { ServiceError } from '../../lib/service-error.ts';
import { passedQuery, passesQuery, splitGoQuery } from '../../visits/forwarded-query.ts';
import { checkGoLink } from '../../visits/go-link-token.ts';
import type { LinkFinder } from '../../visits/link-finder.ts';
import { type RedirectDependencies, sendToTarget } from '../../visits/send-to-target.ts';
import { addGoneFallback } from './gone-fallback.ts';
import type { PreviewDependencies } from './preview-page.ts';
import { visitedPath } from './visited-path.ts';

type Dependencies = RedirectDependencies & Pick<PreviewDependencies, 'clock' | 'secret'>;

type GoVisit = { Params: { alias: string }; Querystring: { t?: unknown } };

/** `GET /<alias>/go?t=<token>`: redirects to the target once the preview page's wait is over. */
export async function goLinkRoute(
  app: FastifyInstance,
  { findLink, ...dependencies }: Dependencies & { findLink: LinkFinder },
) {
  addGoneFallback(app);
  app.get<GoVisit>('/:alias/go', async (request, reply) => {
    const link = await findLink(request, request.params.alias);
    const { token, url } = passesQuery(link)
      ? splitGoQuery(request.url)
      : { token: request.query.t, url: request.url };
    const check = checkGoLink(token, link, dependencies.clock(), dependencies.secret);
    switch (check.verdict) {
      case 'valid':
        return sendToTarget(request, reply, link, dependencies, { url });
      case 'too_early': {
        const retryAfterSeconds = Math.ceil(check.remainingMs / 1000);
        const unit = retryAfterSeconds === 1 ? 'second' : 'seconds';
        throw new ServiceError(
          'too_early',
          `This link opens in ${retryAfterSeconds} ${unit}. You will then be redirected.`,
          { retryAfterSeconds },
        );
      }
      case 'expired':
      case 'forged':
        return startOver(reply, passedQuery(link, url));
    }
  });
}

function startOver(reply: FastifyReply, query: string): FastifyReply {
  const path = visitedPath(reply.request) + (query && `?${query}`);
  return reply.header('cache-control', 'private, no-store').redirect(path);
}
