import { METHODS } from 'node:http';
import type { FastifyInstance, FastifyPluginAsync, RouteOptions } from 'fastify';
import fp from 'fastify-plugin';
import { ServiceError } from '../../lib/service-error.ts';

/**
 * Registers `routes`, and error routes for all other requests under the same prefix: 405 if the path
 * supports another method, otherwise 404. Without them, the routes of short links would match, for
 * example, `/api/go`. CORS handles OPTIONS.
 */
export const rejectOtherRequests = fp(
  async (app: FastifyInstance, { routes }: { routes: FastifyPluginAsync }) => {
    const methodsByPath = new Map<string, Set<string>>();
    app.addHook('onRoute', ({ routePath, method }) => {
      const methods = methodsByPath.get(routePath) ?? new Set();
      for (const name of [method].flat()) methods.add(name);
      methodsByPath.set(routePath, methods);
    });
    await app.register(routes);

    const methods = METHODS.filter((method) => method !== 'CONNECT' && method !== 'OPTIONS');
    for (const method of methods) {
      if (!app.supportedMethods.includes(method)) app.addHttpMethod(method);
    }
    const paths = [...methodsByPath];
    for (const [url] of paths) {
      // Other methods of `/links/batch` are for the link with the alias "batch".
      const matching = paths.filter(([path]) => includes(path, url));
      const allow = [...new Set(matching.flatMap(([, allowed]) => [...allowed]))];
      const others = methods.filter((method) => !allow.includes(method));
      app.route(
        errorRoute(url, others, () => {
          const message = `Use ${allow.join(' or ')} here.`;
          return new ServiceError('method_not_allowed', message, { allow });
        }),
      );
    }
    app.route(errorRoute('/*', methods, nothingHere));
    app.route(errorRoute('/', methods, nothingHere));
  },
);

/** Whether a route with the path `pattern`, such as `/links/:alias`, has the other path, too. */
function includes(pattern: string, path: string): boolean {
  const [segments, others] = [pattern.split('/'), path.split('/')];
  return (
    segments.length === others.length &&
    segments.every((segment, index) => segment.startsWith(':') || segment === others[index])
  );
}

/** A route that fails before the body is read. */
function errorRoute(url: string, method: string[], toError: () => ServiceError): RouteOptions {
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
  return new ServiceError('not_found', 'There is no API endpoint at this address.');
}
