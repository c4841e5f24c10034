import { type FailureText, invalidRequestText } from '../../shared/i18n/failure-text.ts';
import { formatWait, HOUR_SECONDS } from '../../shared/i18n/format-time.ts';
import { formatNumber } from '../../shared/i18n/plural.ts';
import { t } from '../../shared/i18n/translate.ts';
import { ORIGINAL_URL_MAX_CHARACTERS } from '../../shared/limits.ts';
import type { Failure } from '../messaging/protocol.ts';

/** The title and text of a failure, and the button that helps. */
export type ErrorText = FailureText & {
  remedy: 'try_again' | 'open_options' | 'change_fields' | 'none';
};

/** For failures of the extension itself, whose text names no server. */
const NO_SERVER = 'http://localhost';

/** A failure, and whether a form shows the reason at its fields. */
type DescribedFailure = Failure & { isMarked?: boolean };

/** Returns the text of a failure, for pages and notifications. */
export function errorText(failure: DescribedFailure, serverOrigin: string = NO_SERVER): ErrorText {
  const base = failureText(failure, serverOrigin);
  if (!failure.queued) return base;
  // A response, such as from a proxy, means that there is a server.
  if (failure.isFirstRun && (failure.code === 'unreachable' || failure.code === 'timeout')) {
    const text = t('first_run_text', new URL(serverOrigin).host);
    return { title: t('first_run_title'), text, remedy: 'try_again' };
  }
  const seconds = (failure.queued.retryAtMs - Date.now()) / 1000;
  const key = seconds < HOUR_SECONDS ? 'queued_text' : 'queued_until_text';
  const text = t(key, formatWait(seconds));
  return {
    ...base,
    // Another token helps before this limit ends.
    text: failure.code === 'account_limit' ? `${text} ${t('account_limit_queued_text')}` : text,
    remedy: 'try_again',
  };
}

function failureText(failure: DescribedFailure, serverOrigin: string): ErrorText {
  const server = new URL(serverOrigin).host;
  switch (failure.code) {
    case 'unreachable':
      return {
        title: t('unreachable_title'),
        text: t('unreachable_text', server),
        remedy: 'try_again',
      };
    case 'timeout':
      return { title: t('timeout_title'), text: t('timeout_text', server), remedy: 'try_again' };
    case 'gateway_error':
      return {
        title: t('gateway_error_title'),
        text: t('gateway_error_text', server),
        remedy: 'try_again',
      };
    case 'redirected':
      return {
        title: t('redirected_title'),
        text: t('redirected_text', server),
        remedy: 'open_options',
      };
    case 'unreadable_answer':
      return {
        title: t('unreadable_answer_title'),
        text: t('unreadable_answer_text', server),
        remedy: 'open_options',
      };
    case 'not_curt':
      return {
        title: t('not_curt_title'),
        text: t('not_curt_text', server),
        remedy: 'open_options',
      };
    case 'rate_limited':
      return {
        title: t('rate_limited_title'),
        text: retryText(failure, 'rate_limited_text', 'rate_limited_until_text'),
        remedy: 'try_again',
      };
    case 'account_limit':
      return {
        title: t('account_limit_title'),
        text: t('account_limit_text'),
        remedy: 'open_options',
      };
    case 'quota_exceeded':
      return {
        title: t('quota_exceeded_title'),
        text: retryText(failure, 'quota_exceeded_text'),
        remedy: 'none',
      };
    case 'alias_taken':
      return {
        title: t('alias_taken_title'),
        text: t(failure.suggestions?.length ? 'alias_taken_text' : 'alias_taken_text_bare'),
        remedy: 'change_fields',
      };
    case 'invalid_token':
      return {
        title: t('invalid_token_title'),
        text: t('invalid_token_text', server),
        remedy: 'open_options',
      };
    case 'token_required':
      return {
        title: t('token_required_title'),
        text: t('token_required_text', server),
        remedy: 'open_options',
      };
    case 'expires_in_past':
      return {
        title: t('expires_in_past_title'),
        text: t('expires_in_past_text'),
        remedy: 'change_fields',
      };
    case 'invalid_request':
    case 'conflicting_expiry':
      return {
        title: t('invalid_request_title'),
        ...invalidRequestText(failure),
        remedy: 'change_fields',
      };
    case 'invalid_url':
      return {
        title: t('url_rejected_title'),
        text: t('invalid_url_text', server),
        remedy: 'none',
      };
    case 'blocked_url':
      return {
        title: t('url_rejected_title'),
        text: t('blocked_url_text', server),
        remedy: 'none',
      };
    case 'account_suspended':
      return {
        title: t('account_suspended_title'),
        text: t('account_suspended_text', server),
        remedy: 'open_options',
      };
    case 'page_url_invalid':
      return { title: t('url_rejected_title'), text: t('url_rejected_text'), remedy: 'none' };
    case 'page_url_too_long':
      return {
        title: t('url_too_long_title'),
        text: t('url_too_long_text', formatNumber(ORIGINAL_URL_MAX_CHARACTERS)),
        remedy: 'none',
      };
    case 'selection_without_url':
      return {
        title: t('selection_none_title'),
        text: t('selection_not_url_text'),
        remedy: 'none',
      };
    case 'no_match':
      return { title: t('no_match_title'), text: t('no_match_text'), remedy: 'none' };
    case 'text_not_url':
      return { title: t('not_url_title'), text: t('text_not_url_text'), remedy: 'none' };
    case 'url_has_secret':
      return { title: t('secret_title'), text: t('secret_why', server), remedy: 'try_again' };
    case 'page_without_url':
      return { title: t('cannot_shorten_title'), text: t('no_url_text'), remedy: 'none' };
    case 'page_of_browser':
      return { title: t('cannot_shorten_title'), text: t('browser_page_text'), remedy: 'none' };
    case 'page_of_extension':
      return { title: t('cannot_shorten_title'), text: t('extension_page_text'), remedy: 'none' };
    case 'page_is_file':
      return { title: t('cannot_shorten_title'), text: t('file_page_text'), remedy: 'none' };
    case 'page_is_short_domain':
      return {
        title: t('short_domain_title'),
        text: t('short_domain_text', server),
        remedy: 'none',
      };
    case 'queue_full':
      return {
        title: t('queue_full_title'),
        text: t('queue_full_text', server),
        remedy: 'try_again',
      };
    case 'storage_full':
      return {
        title: t('storage_full_title'),
        text: t('storage_full_text'),
        remedy: 'open_options',
      };
    case 'background_silent':
      return { title: t('no_response_title'), text: t('no_response_text'), remedy: 'try_again' };
    case 'extension_failed':
      return {
        title: t('extension_failed_title'),
        text: t('extension_failed_text'),
        remedy: 'try_again',
      };
    default:
      return {
        title: t('server_failed_title'),
        text: t('server_failed_text', server),
        remedy: 'try_again',
      };
  }
}

function retryText(
  { retryAfterSeconds }: Failure,
  key: 'rate_limited_text' | 'quota_exceeded_text',
  /** For a wait that `formatWait` returns as a date. */
  dateKey: typeof key | 'rate_limited_until_text' = key,
): string {
  if (retryAfterSeconds === undefined) return t('try_later');
  return t(retryAfterSeconds < HOUR_SECONDS ? key : dateKey, formatWait(retryAfterSeconds));
}
