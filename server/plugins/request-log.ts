import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';

/**
 * One line a request. It names the route's pattern, never the path: an alias, a go-link, a target
 * or a client's address is nobody's business in a log. (Fastify's own lines hold path and address,
 * and are turned off.)
 */
export const requestLog = fp(async (app: FastifyInstance) => {
  // Callbacks, here and below: a promise for each hook takes as long as the whole redirect's look-up.
  app.addHook('onResponse', (request, reply, done) => {
    done();
    request.log.info(
      {
        method: request.method,
        route: request.routeOptions.url ?? 'none',
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
      },
      'answered',
    );
  });

  let hasWarned = false;
  app.addHook('onRequest', (request, _reply, done) => {
    done();
    if (hasWarned || request.headers['x-forwarded-for'] === undefined) return;
    if ((request.ips?.length ?? 1) > 1) return;
    hasWarned = true;
    request.log.warn(
      'X-Forwarded-For is ignored, since TRUST_PROXY does not name where it came from. Behind a proxy, name the proxy there: until then all visitors count as one client.',
    );
  });
});
