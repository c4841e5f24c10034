import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import type { ShortDomains } from '../../domains/short-domains.ts';
import { ServiceError } from '../../lib/service-error.ts';

/**
 * Answers 404 on all domains but that of `BASE_URL`: their pages are of other origins than the API and the
 * dashboard, where tokens are.
 */
export const onlyOnBaseUrl = fp(
  async (app: FastifyInstance, { domains }: { domains: ShortDomains }) => {
    app.addHook('onRequest', (request, _reply, done) => {
      if (domains.isSingle || domains.ofHost(request.host) === domains.first) return done();
      throw new ServiceError('not_found', 'There is nothing at this address on this domain.');
    });
  },
);
