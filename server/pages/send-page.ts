import type { FastifyReply } from 'fastify';
import { VERSION } from '../core/version.ts';
import { type PagePolicy, setPageHeaders } from './page-headers.ts';
import { renderTemplate, type Template } from './render-template.ts';

/**
 * Sends a page of `server/pages/templates/`. Templates escape all values.
 *
 * @param data available in the template as `it`, along with `it.version` and `it.nonce`
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
