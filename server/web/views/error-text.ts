import type { ErrorCode } from '../../../shared/errors.ts';
import type { Translator } from './translator.ts';

/** An error that a page explains. */
export type ShownError = {
  code: ErrorCode;
  /** The message in English, which is shown if there is no text for the code. */
  message: string;
  retryAfterSeconds?: number | undefined;
  /** When the link begins to work, milliseconds since the epoch. */
  startsAt?: number | undefined;
  requestId: string;
};

export type ErrorText = {
  title: string;
  text: string;
  /** For errors that only faulty clients cause: the error's own message, in English. */
  message?: string;
  /** Whether repeating the request with GET may help. */
  canRetry?: boolean;
};

/** Explains an error in the page's language. */
export function errorText(error: ShownError, texts: Translator): ErrorText {
  const { code, message, retryAfterSeconds = 1, startsAt, requestId } = error;
  switch (code) {
    case 'not_found':
      return { title: texts.t('visit_not_found_title'), text: texts.t('visit_not_found_text') };
    case 'link_blocked':
      return { title: texts.t('visit_blocked_title'), text: texts.t('visit_blocked_text') };
    case 'link_gone':
      return { title: texts.t('visit_gone_title'), text: texts.t('visit_gone_text') };
    case 'body_too_large':
      return { title: texts.t('visit_too_large_title'), text: texts.t('visit_too_large_text') };
    case 'cross_site':
      return { title: texts.t('visit_cross_site_title'), text: texts.t('visit_cross_site_text') };
    case 'too_early':
      if (startsAt !== undefined) {
        return {
          title: texts.t('visit_scheduled_title'),
          text: texts.t('visit_scheduled_text', texts.time(startsAt)),
        };
      }
      return {
        title: texts.t('visit_too_early_title'),
        text: texts.t('visit_too_early_text', texts.inSeconds(retryAfterSeconds)),
        canRetry: true,
      };
    case 'rate_limited':
      return {
        title: texts.t('visit_rate_limited_title'),
        text: texts.t('visit_rate_limited_text', texts.wait(retryAfterSeconds)),
        canRetry: true,
      };
    case 'busy':
      return {
        title: texts.t('visit_busy_title'),
        text: texts.t('visit_busy_text'),
        canRetry: true,
      };
    case 'store_full':
      return {
        title: texts.t('visit_store_full_title'),
        text: texts.t('visit_store_full_text'),
        canRetry: true,
      };
    case 'store_unavailable':
      return {
        title: texts.t('visit_unavailable_title'),
        text: texts.t('visit_unavailable_text'),
        canRetry: true,
      };
    case 'internal':
      return {
        title: texts.t('visit_error_title'),
        text: texts.t('visit_error_text', requestId),
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
