import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import { ServiceError } from '../../lib/service-error.ts';

/** Answers 404 to a path with a parameter that nothing can have: a handler may look up what is left. */
export const checkParams = fp(async (app: FastifyInstance) => {
  app.addHook('preHandler', (request, _reply, done) => {
    const { params } = request.routeOptions.config.endpoint ?? {};
    if (params && !params.safeParse(request.params).success) {
      throw new ServiceError('not_found', 'There is nothing at this address.');
    }
    done();
  });
});
