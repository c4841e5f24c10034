import type { FastifyReply } from 'fastify';
import { VERSION } from '../core/version.ts';
import { type PagePolicy, setPageHeaders } from './page-headers.ts';
import { renderTemplate, type Template } from './render-template.ts';

/**
 * Sends a page of `server/pages/templates/`, which escape all that they are given.
 *
 * @param data what the template reads as `it`; `it.version` and `it.nonce` are always there
 */
export async function sendPage(
  reply: FastifyReply,
  template: Template,
  data: object,
  policy: PagePolicy = {},
): Promise<FastifyReply> {
  const html = renderTemplate(template, {
    ...data,
    version: VERSION,
    nonce: policy.nonce,
  });
  setPageHeaders(reply, policy);
  return reply.type('text/html; charset=utf-8').send(html);
}
