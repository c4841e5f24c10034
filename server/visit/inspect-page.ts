import type { FastifyReply } from 'fastify';
import type { Service } from '../core/context.ts';
import { sendPage } from '../pages/send-page.ts';
import type { Link } from '../store/store.ts';
import { signGoLink } from './go-link-token.ts';
import { linkFacts, needsPreview } from './preview-page.ts';

/** `/<alias>+`: where the link goes, without going there. A wait keeps all but the host back. */
export function sendInspectPage(
  reply: FastifyReply,
  link: Link,
  service: Service,
): Promise<FastifyReply> {
  return sendPage(reply, 'inspect', {
    ...linkFacts(link, service),
    target: link.waitTimerSeconds > 0 ? undefined : link.targetUrl,
    waitSeconds: Math.ceil(link.waitTimerSeconds),
    expiresAt: link.expiresAt === null ? undefined : describeMoment(link.expiresAt),
    continuePath: continuePath(link, service),
  });
}

/** Whoever has just entered the password need not do it again, where nothing else stands between. */
function continuePath(link: Link, service: Service): string {
  if (link.passwordHash === null || needsPreview(link, service)) return `/${link.alias}`;
  return `/${link.alias}/go?t=${signGoLink(link, service.clock(), service.secret)}`;
}

const MOMENT = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'long',
  timeStyle: 'short',
  timeZone: 'UTC',
});

function describeMoment(time: number): { iso: string; text: string } {
  return { iso: new Date(time).toISOString(), text: `${MOMENT.format(time)} UTC` };
}
