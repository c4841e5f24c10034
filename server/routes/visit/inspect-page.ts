import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Link } from '../../store/link.ts';
import { needsPreview } from '../../visits/needs-preview.ts';
import { sendPage } from '../../web/views/send-page.ts';
import { goPath, hostOf, linkFacts, type PreviewDependencies } from './preview-page.ts';
import { visitedPath } from './visited-path.ts';

/** `/<alias>+`: shows where the link goes, with all its targets. If the link has a wait, it shows only their hosts. */
export function sendInspectPage(
  reply: FastifyReply,
  link: Link,
  dependencies: PreviewDependencies,
  query: string,
): Promise<FastifyReply> {
  const isHidden = link.waitTimer > 0;
  const shown = (url: string) => (isHidden ? hostOf(url) : url);
  return sendPage(reply, 'inspect', {
    ...linkFacts(link, dependencies),
    host: hostOf(link.targetUrl),
    target: isHidden ? undefined : link.targetUrl,
    others: [...new Set(link.rules.map((rule) => shown(rule.originalUrl)))],
    goneTarget: link.goneUrl === null ? undefined : shown(link.goneUrl),
    waitTimer: Math.ceil(link.waitTimer),
    expiresAt: link.expiresAt,
    continuePath: continuePath(reply.request, link, dependencies, query),
  });
}

/** Visitors who have just entered the password do not have to enter it again. */
function continuePath(
  request: FastifyRequest,
  link: Link,
  dependencies: PreviewDependencies,
  query: string,
): string {
  const needsGoLink = link.passwordHash !== null && !needsPreview(link, dependencies);
  return needsGoLink
    ? goPath(request, link, dependencies, { query })
    : `${visitedPath(request)}${query && `?${query}`}`;
}
