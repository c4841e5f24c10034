import { METHODS } from 'node:http';
import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
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
    app.addHook('onRoute', ({ url, method }) => {
      const methods = methodsByPath.get(url) ?? new Set();
      for (const name of [method].flat()) methods.add(name);
      methodsByPath.set(url, methods);
    });
    await app.register(routes);
    const paths = [...methodsByPath];
    const toError = (url: string) => {
      const path = decodeURI(url.replace(/\/?([?#].*)?$/s, ''));
      const matching = paths.filter(([pattern]) => matches(pattern, path));
      const allow = [...new Set(matching.flatMap(([, methods]) => [...methods]))];
      if (allow.length === 0) {
        return new ServiceError('not_found', 'There is no API endpoint at this address.');
      }
      const message = `Use ${allow.join(' or ')} here.`;
      return new ServiceError('method_not_allowed', message, { allow });
    };

    const methods = METHODS.filter((method) => method !== 'CONNECT' && method !== 'OPTIONS');
    for (const method of methods) {
      if (!app.supportedMethods.includes(method)) app.addHttpMethod(method);
    }
    for (const url of ['/*', '/']) {
      app.route({
        url,
        method: methods,
        prefixTrailingSlash: 'no-slash',
        // Before the body is read.
        onRequest: (request, _reply, done) => done(toError(request.url)),
        handler: (request) => {
          throw toError(request.url);
        },
      });
    }
  },
);

/** Whether a route with the path `pattern`, such as `/api/links/:alias`, has this path. */
function matches(pattern: string, path: string): boolean {
  const [segments, others] = [pattern.split('/'), path.split('/')];
  return (
    segments.length === others.length &&
    segments.every((segment, index) =>
      segment.startsWith(':') ? others[index] !== '' : segment === others[index],
    )
  );
}
