import type { FastifyRequest } from 'fastify';
import { ServiceError } from '../../lib/service-error.ts';

/**
 * Rejects a form that a page of another origin sent, also one of the same site or with an opaque
 * origin. Must run before anything is counted. Programs send neither header.
 *
 * @param baseUrl the origin of this server, as visitors see it
 * @throws ServiceError `cross_site`
 */
export function assertOwnForm({ headers }: FastifyRequest, baseUrl: string): void {
  const { 'sec-fetch-site': site, origin, host } = headers;
  // Without TLS, browsers send Sec-Fetch-Site to localhost only, but Origin everywhere.
  const isOwn =
    site === undefined
      ? origin === undefined ||
        origin === baseUrl ||
        (host !== undefined && URL.parse(origin)?.host === host)
      : site === 'same-origin' || site === 'none';
  if (!isOwn) throw new ServiceError('cross_site', 'Pages of other sites cannot send this form.');
}
