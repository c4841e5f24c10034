import type { FastifyInstance } from 'fastify';
import { ServiceError } from '../../lib/service-error.ts';

/** The methods of routes, by the patterns of their paths. */
type RouteMethods = Map<string, Set<string>>;

/** Collects the methods of each route that is registered from now on. */
export function collectMethods(app: FastifyInstance): RouteMethods {
  const byPattern: RouteMethods = new Map();
  app.addHook('onRoute', ({ url, method }) => {
    const methods = byPattern.get(url) ?? new Set();
    for (const name of [method].flat()) methods.add(name);
    byPattern.set(url, methods);
  });
  return byPattern;
}

/**
 * Returns the error for a request that no route is for: 405 if there are routes with its path for other methods.
 *
 * @param orElse of an unknown path
 */
export function toRouteError(
  routes: Readonly<RouteMethods>,
  { method, url }: { method: string; url: string },
  orElse: string,
): ServiceError {
  const path = decodeURI(url.replace(/\/?([?#].*)?$/s, '')) || '/';
  const matching = [...routes].filter(([pattern]) => matches(pattern, path));
  const allow = [...new Set(matching.flatMap(([, methods]) => [...methods]))];
  // A route may answer that there is nothing at its path.
  if (allow.length === 0 || allow.includes(method)) return new ServiceError('not_found', orElse);
  const message = `Use ${allow.join(' or ')} here.`;
  return new ServiceError('method_not_allowed', message, { allow });
}

/** Whether a route with the path `pattern`, such as `/api/links/:alias` or `/dashboard/*`, has this path. */
function matches(pattern: string, path: string): boolean {
  const [segments, others] = [pattern.split('/'), path.split('/')];
  const isOpen = segments.at(-1) === '*';
  if (isOpen) segments.pop();
  if (isOpen ? others.length <= segments.length : others.length !== segments.length) return false;
  return segments.every((segment, index) => {
    const other = others[index] ?? '';
    if (!segment.startsWith(':')) return segment === other;
    // A parameter can have a pattern: `:version(^v[123]$)`.
    const [, pattern = '.)'] = segment.split('(');
    return new RegExp(pattern.slice(0, -1)).test(other);
  });
}
