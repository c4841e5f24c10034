import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Link } from '../../store/link.ts';
import { needsPreview } from '../../visits/needs-preview.ts';
import { sendPage } from '../../web/views/send-page.ts';
import { goPath, linkFacts, type PreviewDependencies } from './preview-page.ts';
import { visitedPath } from './visited-path.ts';

/** `/<alias>+`: shows where the link goes. If the link has a wait, it shows only the target's host. */
export function sendInspectPage(
  reply: FastifyReply,
  link: Link,
  dependencies: PreviewDependencies,
  query: string,
): Promise<FastifyReply> {
  return sendPage(reply, 'inspect', {
    ...linkFacts(link, dependencies),
    target: link.waitTimerSeconds > 0 ? undefined : link.targetUrl,
    waitTimerSeconds: Math.ceil(link.waitTimerSeconds),
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
