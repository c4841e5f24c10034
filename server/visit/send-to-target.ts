import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Service } from '../core/context.ts';
import type { Link } from '../store/link.ts';
import { forwardedQuery, withQuery } from './forwarded-query.ts';
import { linkGone } from './gone.ts';
import { classifyVisit } from './visit-class.ts';

/** Of every redirect to a target. */
export const REDIRECT_HEADERS = {
  'cache-control': 'private, no-store',
  'x-robots-tag': 'noindex',
};

export type Redirect = {
  /** 303 after a POST, so that the password is not sent to the target. @default 302 */
  status?: 302 | 303;
  /** Path and query of the visit. @default those of the request */
  url?: string;
};

/**
 * Redirects a visitor to the target and counts the hit. Only people use up a link with `maxVisits`;
 * bots and previews get the same answer.
 *
 * @throws ServiceError `link_gone` if a concurrent visit used the link up
 * @see docs/api.md, "Visit a short link"
 */
export async function sendToTarget(
  request: FastifyRequest,
  reply: FastifyReply,
  link: Link,
  { store }: Service,
  { status = 302, url = request.url }: Redirect = {},
): Promise<FastifyReply> {
  if (classifyVisit(request) === 'people') {
    if (link.maxVisits === null) store.countHit(link.id);
    else if (!(await store.takeVisit(link.id))) throw linkGone('used_up');
  }
  const target = withQuery(link.targetUrl, forwardedQuery(link, { url }));
  return reply.headers(REDIRECT_HEADERS).redirect(target, status);
}
