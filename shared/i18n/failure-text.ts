import type { Failure } from '../client.ts';
import { formatWait, HOUR_SECONDS } from './format-time.ts';
import { t } from './translate.ts';

/** What went wrong, and what to do about it. */
export type FailureText = {
  title: string;
  text: string;
  /** Whether the text is a message of the server. */
  isEnglish?: boolean;
};

/** What the texts depend on. */
type DescribedFailure = Failure & {
  /** Whether a form shows the reason at its fields. */
  isMarked?: boolean;
};

/** The text of a failed request, for pages that the server itself serves. */
export function failureText(failure: DescribedFailure, serverOrigin: string): FailureText {
  const server = new URL(serverOrigin).host;
  switch (failure.code) {
    case 'unreachable':
    case 'gateway_error':
    case 'not_curt':
    case 'redirected':
      return { title: t('unreachable_title'), text: t('unreachable_text', server) };
    case 'timeout':
      return { title: t('timeout_title'), text: t('no_answer_in_time', server) };
    case 'rate_limited':
      return { title: t('rate_limited_title'), text: rateText(failure) };
    case 'quota_exceeded':
      return { title: t('quota_exceeded_title'), text: quotaText(failure) };
    case 'anonymous_limit':
      return { title: t('anonymous_limit_title'), text: t('anonymous_limit_text') };
    case 'store_full':
      return { title: t('store_full_title'), text: t('store_full_text') };
    case 'alias_taken':
      return {
        title: t('alias_taken_title'),
        text: t(failure.suggestions?.length ? 'alias_taken_text' : 'alias_taken_text_bare'),
      };
    case 'expires_in_past':
      return { title: t('expires_in_past_title'), text: t('expires_in_past_text') };
    case 'invalid_request':
    case 'conflicting_expiry':
      return { title: t('invalid_request_title'), ...invalidRequestText(failure) };
    case 'invalid_url':
      return { title: t('url_rejected_title'), text: t('invalid_url_text', server) };
    case 'blocked_url':
      return { title: t('url_rejected_title'), text: t('blocked_url_text', server) };
    case 'account_suspended':
      return { title: t('account_suspended_title'), text: t('account_suspended_text', server) };
    case 'insufficient_scope':
      return { title: t('scope_title'), text: t('scope_text') };
    case 'too_many_tokens':
      return { title: t('too_many_tokens_title'), text: t('too_many_tokens_text') };
    case 'last_token':
      return { title: t('last_token_title'), text: t('last_token_text') };
    case 'invalid_token':
      return { title: t('invalid_token_title'), text: t('sign_in_rejected') };
    case 'body_too_large':
      return { title: t('body_too_large_title'), text: t('body_too_large_text') };
    default:
      return { title: t('server_failed_title'), text: t('nothing_changed_try_later') };
  }
}

/** The server's own message is the only one that says what is wrong, unless fields do. */
export function invalidRequestText({
  isMarked = false,
  message = '',
}: {
  isMarked?: boolean;
  message?: string;
}): Pick<FailureText, 'text' | 'isEnglish'> {
  return isMarked ? { text: t('invalid_request_text') } : { text: message, isEnglish: true };
}

function rateText({ retryAfterSeconds }: Failure): string {
  if (retryAfterSeconds === undefined) return t('try_later');
  const key = retryAfterSeconds < HOUR_SECONDS ? 'rate_limited_text' : 'rate_limited_until_text';
  return t(key, formatWait(retryAfterSeconds));
}

function quotaText({ retryAfterSeconds }: Failure): string {
  if (retryAfterSeconds === undefined) return t('try_later');
  return t('quota_exceeded_text', formatWait(retryAfterSeconds));
}
