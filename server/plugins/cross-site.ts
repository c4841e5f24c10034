import type { FastifyRequest } from 'fastify';
import { ServiceError } from '../core/service-error.ts';
import { isAllowedOrigin } from './api-cors.ts';

const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS'];

/**
 * Refuses what a page of another site makes a visitor's browser send, as a hook before anything
 * counts: it would spend the visitor's limits. Only browsers send `Sec-Fetch-Site`, and no page can
 * set it.
 *
 * @throws ServiceError `cross_site`
 * Source: contract, "Limits".
 */
export function refuseCrossSite(
  { method, headers }: FastifyRequest,
  allowedOrigins: string[],
): void {
  if (headers['sec-fetch-site'] !== 'cross-site' || SAFE_METHODS.includes(method)) return;
  if (isAllowedOrigin(headers.origin ?? '', allowedOrigins)) return;
  throw new ServiceError('cross_site', 'A page of another site may not send this request.');
}
