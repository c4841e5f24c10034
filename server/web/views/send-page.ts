import type { FastifyReply } from 'fastify';
import { VERSION } from '../../lib/version.ts';
import type { ErrorText } from './error-text.ts';
import { type PagePolicy, setPageHeaders } from './page-headers.ts';
import { addVary, languageLinks, translatorFor } from './page-language.ts';
import { renderTemplate, type Template } from './render-template.ts';
import { type Reporting, reportHref } from './report-link.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** The settings `REPORTS` and `REPORT_URL`. */
    reporting: Reporting;
  }
}

/** What the page of an error shows. */
export type ErrorPage = ErrorText & {
  /** After how many seconds the browser loads the page again, if it does. */
  refreshSeconds: number | undefined;
};

/**
 * Sends a page of `server/web/views/templates/` in the visitor's language. Templates escape all values.
 *
 * @param data available in the template as `it`, along with `it.texts` (a `Translator`), `it.brand`,
 * `it.version` and `it.nonce`
 */
export async function sendPage<T extends Template>(
  reply: FastifyReply,
  template: T,
  data: T extends 'error' ? ErrorPage : object,
  policy: PagePolicy = {},
): Promise<FastifyReply> {
  const texts = translatorFor(reply.request);
  const html = renderTemplate(template, {
    ...data,
    texts,
    languages: languageLinks(reply.request),
    brand: reply.server.brands.ofHost(reply.request.host),
    reportHref: reportHref(template, reply.request.url, reply.server.reporting),
    version: VERSION,
    nonce: policy.nonce,
  });
  setPageHeaders(reply, policy);
  addVary(reply, 'Accept-Language');
  reply.header('content-language', texts.language);
  return reply.type('text/html; charset=utf-8').send(html);
}
