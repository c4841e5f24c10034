import { METHODS } from 'node:http';
import type { FastifyInstance, FastifyPluginAsync, RouteOptions } from 'fastify';
import fp from 'fastify-plugin';
import { ServiceError } from '../core/service-error.ts';

/**
 * Registers `routes`, and routes for all other requests under the same prefix: 405 where another
 * method is served, else 404. Without them, the routes of short links would take `/api/go`, for
 * one. CORS answers OPTIONS.
 */
export const refuseOtherRequests = fp(
  async (app: FastifyInstance, { routes }: { routes: FastifyPluginAsync }) => {
    const served = new Map<string, Set<string>>();
    app.addHook('onRoute', ({ routePath, method }) => {
      const methods = served.get(routePath) ?? new Set();
      for (const name of [method].flat()) methods.add(name);
      served.set(routePath, methods);
    });
    await app.register(routes);

    const methods = METHODS.filter((method) => method !== 'CONNECT' && method !== 'OPTIONS');
    for (const method of methods) {
      if (!app.supportedMethods.includes(method)) app.addHttpMethod(method);
    }
    for (const [url, allowed] of [...served]) {
      const allow = [...allowed];
      const others = methods.filter((method) => !allowed.has(method));
      app.route(
        refusal(url, others, () => {
          const message = `Use ${allow.join(' or ')} here.`;
          return new ServiceError('method_not_allowed', message, { allow });
        }),
      );
    }
    app.route(refusal('/*', methods, nothingHere));
    app.route(refusal('/', methods, nothingHere));
  },
);

/** Answers before a body is read: whatever it is, it changes nothing. */
function refusal(url: string, method: string[], toError: () => ServiceError): RouteOptions {
  return {
    url,
    method,
    prefixTrailingSlash: 'no-slash',
    onRequest: (_request, _reply, done) => done(toError()),
    handler: () => {
      throw toError();
    },
  };
}

function nothingHere(): ServiceError {
  return new ServiceError('not_found', 'The API has nothing at this address.');
}
