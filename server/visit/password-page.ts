import type { FastifyReply } from 'fastify';
import type { Service } from '../core/context.ts';
import { sendPage } from '../pages/send-page.ts';
import type { Link } from '../store/store.ts';
import { shortAddress } from './preview-page.ts';

/** The form of a link with a password. It says nothing of the link but its own address. */
export function sendPasswordPage(
  reply: FastifyReply,
  link: Link,
  service: Service,
  { inspects, isWrong = false }: { inspects: boolean; isWrong?: boolean },
): Promise<FastifyReply> {
  return sendPage(
    reply,
    'password',
    {
      shortAddress: shortAddress(link, service),
      action: `/${link.alias}${inspects ? '+' : ''}`,
      isWrong,
    },
    { hasForm: true },
  );
}
