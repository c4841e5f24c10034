import type { FastifyReply } from 'fastify';
import { VERSION } from '../core/version.ts';
import { type PagePolicy, setPageHeaders } from './page-headers.ts';
import { addVary, translatorFor } from './page-language.ts';
import { renderTemplate, type Template } from './render-template.ts';

/**
 * Sends a page of `server/pages/templates/` in the visitor's language. Templates escape all values.
 *
 * @param data available in the template as `it`, along with `it.texts` (a `Translator`), `it.version`
 * and `it.nonce`
 */
export async function sendPage(
  reply: FastifyReply,
  template: Template,
  data: object,
  policy: PagePolicy = {},
): Promise<FastifyReply> {
  const texts = translatorFor(reply.request);
  const html = renderTemplate(template, {
    ...data,
    texts,
    version: VERSION,
    nonce: policy.nonce,
  });
  setPageHeaders(reply, policy);
  addVary(reply, 'Accept-Language');
  reply.header('content-language', texts.language);
  return reply.type('text/html; charset=utf-8').send(html);
}
