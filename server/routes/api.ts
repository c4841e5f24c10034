import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Service } from '../core/context.ts';
import { ServiceError } from '../core/service-error.ts';
import { apiCors } from '../plugins/api-cors.ts';
import { identifyCaller } from '../plugins/caller.ts';
import { shortenRate } from '../plugins/shorten-rate.ts';
import { strictJson } from '../plugins/strict-json.ts';
import { accountRoute } from './account.ts';
import { healthRoutes } from './health.ts';
import { shortenRoute } from './shorten.ts';

/** What each path is asked by; another method is a 405. */
const METHODS: Record<string, string[]> = {
  shorten: ['POST'],
  account: ['GET', 'HEAD'],
  health: ['GET', 'HEAD'],
  'health/ready': ['GET', 'HEAD'],
};

/** Everything under `/api`. */
export async function apiRoutes(app: FastifyInstance, { service }: { service: Service }) {
  // Callbacks, here and in the plugins: a promise for each hook of each call takes its time.
  app.addHook('onRequest', (request, reply, done) => {
    request.isApi = true;
    // Answers hold tokens.
    reply.header('cache-control', 'no-store');
    done();
  });
  await app.register(apiCors, { origins: service.settings.corsOrigins });
  app.addHook('onRequest', (request, _reply, done) => {
    // Before a body is read: whatever it is, it changes nothing.
    done(request.is404 ? nothingHere(request) : undefined);
  });
  await app.register(identifyCaller, { service });
  await app.register(shortenRate, { service });
  await app.register(strictJson);
  // Of this scope, so that the hooks above run for unknown paths, too.
  app.setNotFoundHandler(refuse);
  // Else `/api` itself would be looked up as an alias.
  app.all('/', { prefixTrailingSlash: 'no-slash' }, refuse);

  await app.register(shortenRoute, { service });
  await app.register(accountRoute, { service });
  await app.register(healthRoutes, { service });
}

function refuse(request: FastifyRequest): never {
  throw nothingHere(request);
}

function nothingHere({ url }: FastifyRequest): ServiceError {
  const name = /\/api\/([a-z]+(?:\/[a-z]+)?)\/?(?:[?#]|$)/.exec(url)?.[1] ?? '';
  const allow = METHODS[name];
  return allow
    ? new ServiceError('method_not_allowed', `Use ${allow.join(' or ')} here.`, { allow })
    : new ServiceError('not_found', 'The API has nothing at this address.');
}
