import type { FastifyRequest } from 'fastify';
import { ServiceError } from '../../lib/service-error.ts';
import { type AllowedOrigins, isAllowedOrigin } from './api-cors.ts';

const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS'];

/**
 * Rejects unsafe requests that pages of other sites send. Must run before anything is counted, because
 * these requests would use up the visitor's limits. Only browsers send `Sec-Fetch-Site`, and pages
 * cannot set it.
 *
 * @throws ServiceError `cross_site`
 * @see docs/api.md, "Call the API from a web page"
 */
export function rejectCrossSite(
  { method, headers }: FastifyRequest,
  allowedOrigins: AllowedOrigins,
): void {
  if (headers['sec-fetch-site'] !== 'cross-site' || SAFE_METHODS.includes(method)) return;
  if (isAllowedOrigin(headers.origin ?? '', allowedOrigins)) return;
  throw new ServiceError('cross_site', 'Pages of other sites cannot send this request.');
}
