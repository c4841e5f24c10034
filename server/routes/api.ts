import type { FastifyInstance, HTTPMethods } from 'fastify';
import { apiCors } from '../plugins/api-cors.ts';
import { identifyCaller } from '../plugins/caller.ts';
import { shortenRate } from '../plugins/shorten-rate.ts';
import type { Service } from '../service.ts';
import { ServiceError } from '../service-error.ts';
import { accountRoute } from './account.ts';
import { healthRoute } from './health.ts';
import { shortenRoute } from './shorten.ts';

/** Everything under `/api`. */
export async function apiRoutes(app: FastifyInstance, { service }: { service: Service }) {
  await app.register(apiCors, { origins: service.settings.corsOrigins });
  await app.register(identifyCaller, { service });
  await app.register(shortenRate, { service });

  app.addHook('onRequest', async (_request, reply) => {
    // Answers hold tokens.
    reply.header('cache-control', 'no-store');
  });
  await app.register(shortenRoute, { service });
  await app.register(accountRoute, { service });
  await app.register(healthRoute);
  refuseOtherMethods(app, '/shorten', ['POST']);
  refuseOtherMethods(app, '/account', ['GET', 'HEAD']);
  refuseOtherMethods(app, '/health', ['GET', 'HEAD']);
}

const METHODS: HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

function refuseOtherMethods(app: FastifyInstance, url: string, allow: HTTPMethods[]): void {
  app.route({
    url,
    method: METHODS.filter((method) => !allow.includes(method)),
    exposeHeadRoute: false,
    // Before the body is read: whatever it is, it changes nothing.
    onRequest: async () => {
      throw new ServiceError('method_not_allowed', `Use ${allow.join(' or ')} here.`, {
        allow: allow as string[],
      });
    },
    handler: async () => undefined,
  });
}
