import type { FastifyReply } from 'fastify';
import type { Card } from '../../../shared/links/destinations.ts';
import type { ShortDomains } from '../../domains/short-domains.ts';
import type { Link } from '../../store/link.ts';
import { sendPage } from '../../web/views/send-page.ts';
import { shortAddress } from './preview-page.ts';

/**
 * What a chat or feed shows of a link: the card, and what it lacks from the link itself. Nothing is fetched,
 * and the target is not in it.
 */
export function sendCardPage(
  reply: FastifyReply,
  link: Link,
  card: Card,
  dependencies: { domains: ShortDomains },
): Promise<FastifyReply> {
  return sendPage(reply, 'card', {
    title: card.title ?? (link.title.trim() || shortAddress(link, dependencies)),
    description: card.description ?? link.description,
    imageUrl: card.imageUrl,
    url: dependencies.domains.shortUrl(link.alias),
  });
}
