import type { Failed, Failure } from '../client.ts';
import { formatWait, HOUR_SECONDS } from './format-wait.ts';
import { lookUp, type MessageKey, type PlainKey, shownLanguage, t } from './translate.ts';

/** What went wrong, and what to do about it. */
export type FailureText = {
  title: string;
  text: string;
  /** Whether the text is a message of the server. */
  isEnglish?: boolean;
};

/** A failure with its title and text. */
export type FailureWithText = Failed & FailureText;

/** What the texts depend on. */
type DescribedFailure = Failure & {
  /** Whether a form shows the reason at its fields. */
  isMarked?: boolean;
};

const UNREACHABLE: [PlainKey, MessageKey] = ['unreachable_title', 'unreachable_text'];

const OTHER: [PlainKey, MessageKey] = ['server_failed_title', 'nothing_changed_try_later'];

/** Texts that depend on nothing but the server's host. */
const TEXTS: { [C in Failure['code']]?: [title: PlainKey, text: MessageKey] } = {
  unreachable: UNREACHABLE,
  gateway_error: UNREACHABLE,
  not_curt: UNREACHABLE,
  redirected: UNREACHABLE,
  timeout: ['timeout_title', 'no_answer_in_time'],
  anonymous_limit: ['anonymous_limit_title', 'anonymous_limit_text'],
  store_full: ['store_full_title', 'store_full_text'],
  expires_in_past: ['expires_in_past_title', 'expires_in_past_text'],
  invalid_url: ['url_rejected_title', 'invalid_url_text'],
  blocked_url: ['url_rejected_title', 'blocked_url_text'],
  account_suspended: ['account_suspended_title', 'account_suspended_text'],
  insufficient_scope: ['scope_title', 'scope_text'],
  too_many_tokens: ['too_many_tokens_title', 'too_many_tokens_text'],
  last_token: ['last_token_title', 'last_token_text'],
  invalid_token: ['invalid_token_title', 'sign_in_rejected'],
  code_invalid: ['code_invalid_title', 'code_invalid_text'],
  body_too_large: ['body_too_large_title', 'body_too_large_text'],
};

/** Returns the text of a failed request, for pages that the server itself serves. */
export function failureText(failure: DescribedFailure, serverOrigin: string): FailureText {
  switch (failure.code) {
    case 'rate_limited':
      return { title: t('rate_limited_title'), text: rateText(failure) };
    case 'quota_exceeded':
      return { title: t('quota_exceeded_title'), text: quotaText(failure) };
    case 'alias_taken':
      return {
        title: t('alias_taken_title'),
        text: t(failure.suggestions?.length ? 'alias_taken_text' : 'alias_taken_text_bare'),
      };
    case 'invalid_request':
    case 'conflicting_expiry':
      return { title: t('invalid_request_title'), ...invalidRequestText(failure) };
    default: {
      const [title, text] = TEXTS[failure.code] ?? OTHER;
      return { title: t(title), text: lookUp(text, [new URL(serverOrigin).host]) };
    }
  }
}

/**
 * Returns title and text as one string, for notifications and other places that cannot mark a text as English:
 * there, only people who read English get the server's message.
 */
export function failureSentences({ title, text, isEnglish = false }: FailureText): string {
  return t('title_and_text', title, isEnglish ? serverMessage(text) : text);
}

/** Returns a message of the server for people who read English, and a general text for all others. */
export function serverMessage(message: string): string {
  return shownLanguage().startsWith('en') ? message : t('rejected_text');
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
