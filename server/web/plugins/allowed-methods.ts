import type { FastifyInstance } from 'fastify';
import findMyWay from 'find-my-way';
import { ServiceError } from '../../lib/service-error.ts';

/** Of routes, without OPTIONS, which CORS handles at every path. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

type Method = (typeof METHODS)[number];
type Routes = { method: Method; url: string }[];

/** Collects the routes that are registered from now on. */
export function collectRoutes(app: FastifyInstance): Routes {
  const routes: Routes = [];
  app.addHook('onRoute', ({ url, method }) => {
    const names = [method].flat();
    routes.push(
      ...METHODS.filter((name) => names.includes(name)).map((name) => ({ method: name, url })),
    );
  });
  return routes;
}

/**
 * Returns what makes the error for a request that no route is for: 405 if there are routes with its path
 * for other methods.
 *
 * @param orElse the message for an unknown path
 */
export function routeErrors(app: FastifyInstance, routes: Readonly<Routes>) {
  let find: ReturnType<typeof makeFinder> | undefined;
  return ({ method, url }: { method: string; url: string }, orElse: string): ServiceError => {
    find ??= makeFinder(app, routes);
    const allow = find(url);
    // A route may answer that there is nothing at its path.
    if (allow.length === 0 || allow.some((name) => name === method)) {
      return new ServiceError('not_found', orElse);
    }
    const message = `Use ${allow.join(' or ')} here.`;
    return new ServiceError('method_not_allowed', message, { allow });
  };
}

/** Finds the methods of a URL with the router that Fastify uses, which doesn't tell those of others. */
function makeFinder(app: FastifyInstance, routes: Readonly<Routes>): (url: string) => Method[] {
  const router = findMyWay(app.initialConfig.routerOptions);
  for (const { method, url } of routes) {
    if (!router.hasRoute(method, url)) router.on(method, url, () => {});
  }
  return (url) => METHODS.filter((method) => router.find(method, url) !== null);
}
