import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Link } from '../store/link.ts';
import type { Store } from '../store/store.ts';
import { isVisitor } from './visitor.ts';

/** Of every redirect to a target. */
export const REDIRECT_HEADERS = {
  'cache-control': 'private, no-store',
  'x-robots-tag': 'noindex',
};

/**
 * Redirects a visitor to the target and counts the hit.
 *
 * @param status 302, or 303 after a POST, so that the password is not sent to the target
 * @see docs/api.md, "Visit a short link"
 */
export function sendToTarget(
  request: FastifyRequest,
  reply: FastifyReply,
  link: Link,
  store: Store,
  status: 302 | 303 = 302,
): FastifyReply {
  if (isVisitor(request)) store.countHit(link.id);
  return reply.headers(REDIRECT_HEADERS).redirect(link.targetUrl, status);
}
