import type { FastifyReply } from 'fastify';
import type { Link } from '../../store/link.ts';
import { sendPage } from '../../web/views/send-page.ts';
import { type PreviewDependencies, shortAddress } from './preview-page.ts';
import { visitedPath } from './visited-path.ts';

/**
 * Sends the password form of a link. It contains nothing about the link except its short URL.
 *
 * @param query of the visit, if the link forwards it
 */
export function sendPasswordPage(
  reply: FastifyReply,
  link: Link,
  dependencies: Pick<PreviewDependencies, 'domains' | 'settings'>,
  { inspects, query, isWrong = false }: { inspects: boolean; query: string; isWrong?: boolean },
): Promise<FastifyReply> {
  return sendPage(
    reply,
    'password',
    {
      shortAddress: shortAddress(link, dependencies),
      action: `${visitedPath(reply.request)}${inspects ? '+' : ''}${query && `?${query}`}`,
      isWrong,
    },
    { hasOwnForm: true, formSchemes: ['http', 'https', ...dependencies.settings.extraSchemes] },
  );
}
