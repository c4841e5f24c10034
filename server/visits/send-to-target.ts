import type { FastifyReply, FastifyRequest } from 'fastify';
import { clientAddress } from '../limits/client-ip.ts';
import type { Link } from '../store/link.ts';
import type { Store } from '../store/store.ts';
import { classifyVisit } from './classify-visit.ts';
import { forwardedQuery, withQuery } from './forwarded-query.ts';
import { LinkGoneError } from './gone.ts';
import type { TargetChooser } from './target-chooser.ts';
import { nameTarget, targetUrlOf } from './target-url.ts';
import type { VisitClass } from './visit-class.ts';
import type { VisitRecorder } from './visit-recorder.ts';

export type RedirectDependencies = {
  store: Store;
  chooseTarget: TargetChooser;
  /** Undefined if statistics are off. */
  visits: Pick<VisitRecorder, 'record'> | undefined;
  traffic: { countRedirect(visitClass: VisitClass): void; visits: Record<VisitClass, number> };
};

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
 * Redirects a visitor to the target of the first rule that matches, or to the link's own, and counts the hit.
 * Only people use up a link with `maxVisits`; bots and previews get the same answer.
 *
 * @throws ServiceError `link_gone` if a concurrent visit used the link up
 * @see docs/api.md, "Visit a short link"
 */
export async function sendToTarget(
  request: FastifyRequest,
  reply: FastifyReply,
  link: Link,
  { store, chooseTarget, visits, traffic }: RedirectDependencies,
  { status = 302, url = request.url }: Redirect = {},
): Promise<FastifyReply> {
  const visitClass = classifyVisit(request);
  if (visitClass === 'people') {
    if (link.maxVisits === null) store.countHit(link.id);
    else if (!(await store.takeVisit(link.id))) throw new LinkGoneError(link, 'used_up');
  }
  const { client } = clientAddress(request);
  const { headers, socket } = request;
  const target = targetUrlOf(link, chooseTarget(link, { headers, socket, url }, client));
  visits?.record(link.id, visitClass, request, client, nameTarget(link, target));
  traffic.countRedirect(visitClass);
  const location = withQuery(target, forwardedQuery(link, url));
  return reply.headers(REDIRECT_HEADERS).redirect(location, status);
}

/** Records a bot or a preview that gets a page and not the target. People count once they are sent on. */
export function recordPageView(
  request: FastifyRequest,
  link: Link,
  { visits, traffic }: Pick<RedirectDependencies, 'visits' | 'traffic'>,
): void {
  const visitClass = classifyVisit(request);
  if (visitClass === 'people') return;
  visits?.record(link.id, visitClass, request, '');
  traffic.visits[visitClass]++;
}
