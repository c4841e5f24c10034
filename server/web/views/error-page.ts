import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorCode } from '../../../shared/errors.ts';
import type { PlainKey } from '../../../shared/i18n/translate.ts';
import type { ServiceError } from '../../lib/service-error.ts';
import { type ErrorText, sendPage } from './send-page.ts';
import { translatorFor, type VisitKey } from './translator.ts';

/** Sends a page that explains an error and what to do. Sets the page headers, but not the status. */
export function renderErrorPage(reply: FastifyReply, error: ServiceError): Promise<FastifyReply> {
  const { retryAfterSeconds, startsAt } = error.details;
  // The start of a link may be months away.
  const refreshes = error.code === 'too_early' && startsAt === undefined;
  return sendPage(reply, 'error', {
    ...errorText(error, reply.request),
    refreshSeconds: refreshes ? retryAfterSeconds : undefined,
  });
}

type PlainText = { title: VisitKey & PlainKey; text: VisitKey & PlainKey; canRetry?: boolean };

const PLAIN_TEXTS: { [code in ErrorCode]?: PlainText } = {
  not_found: { title: 'visit_not_found_title', text: 'visit_not_found_text' },
  link_blocked: { title: 'visit_blocked_title', text: 'visit_blocked_text' },
  link_gone: { title: 'visit_gone_title', text: 'visit_gone_text' },
  body_too_large: { title: 'visit_too_large_title', text: 'visit_too_large_text' },
  busy: { title: 'visit_busy_title', text: 'visit_busy_text', canRetry: true },
  store_full: { title: 'visit_store_full_title', text: 'visit_store_full_text', canRetry: true },
  store_unavailable: {
    title: 'visit_unavailable_title',
    text: 'visit_unavailable_text',
    canRetry: true,
  },
};

/** Explains an error in the page's language. Without a text for its code, with its message in English. */
export function errorText(error: ServiceError, request: FastifyRequest): ErrorText {
  const { code, message } = error;
  const { retryAfterSeconds = 1, startsAt, shortUrl } = error.details;
  const texts = translatorFor(request);
  const plain = PLAIN_TEXTS[code];
  if (plain) return { ...plain, title: texts.t(plain.title), text: texts.t(plain.text) };
  switch (code) {
    case 'too_early':
      if (startsAt !== undefined) {
        return {
          title: texts.t('visit_scheduled_title'),
          text: texts.t('visit_scheduled_text', texts.time(startsAt)),
          time: startsAt,
        };
      }
      return {
        title: texts.t('visit_too_early_title'),
        text: texts.t(
          'visit_too_early_text',
          texts.inSeconds(retryAfterSeconds),
          texts.t('visit_try_again'),
        ),
        canRetry: true,
      };
    case 'cross_site':
      return {
        title: texts.t('visit_cross_site_title'),
        text: texts.t('visit_cross_site_text'),
        shortUrl,
      };
    case 'rate_limited':
      return {
        title: texts.t('visit_rate_limited_title'),
        text: texts.t('visit_rate_limited_text', texts.wait(retryAfterSeconds)),
        canRetry: true,
      };
    case 'internal':
      return {
        title: texts.t('visit_error_title'),
        text: texts.t('visit_error_text', request.id),
        canRetry: true,
      };
    default:
      return {
        title: texts.t('visit_failed_title'),
        text: texts.t('visit_failed_text'),
        message,
      };
  }
}
