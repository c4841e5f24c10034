import { ORIGINAL_URL_MAX_CHARACTERS } from '../../shared/bounds.ts';
import { type FailureText, invalidRequestText } from '../../shared/i18n/failure-text.ts';
import { formatWait, HOUR_SECONDS } from '../../shared/i18n/format-wait.ts';
import { formatNumber } from '../../shared/i18n/plural.ts';
import { lookUp, type MessageKey, type PlainKey, t } from '../../shared/i18n/translate.ts';
import type { Failure, FailureCode } from '../messaging/protocol.ts';

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
  const described = describe(failure, serverOrigin);
  // Firefox trusts it in extensions, too. In Chromium, a tab shows the server, and the extension fails.
  const mayBeUntrusted = failure.code === 'unreachable' && serverOrigin.startsWith('https:');
  if (!mayBeUntrusted || import.meta.env.FIREFOX) return described;
  return { ...described, text: t('two_sentences', described.text, t('test_certificate')) };
}

function describe(failure: DescribedFailure, serverOrigin: string): ErrorText {
  if (failure.movedTo) {
    const title = t('server_moved_title', failure.movedTo);
    return { title, text: t('server_moved_text'), remedy: 'open_options' };
  }
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
    text: NEEDS_TOKEN.has(failure.code)
      ? t('two_sentences', text, t('account_limit_queued_text'))
      : text,
    remedy: 'try_again',
  };
}

/** Limits of anonymous accounts. */
const NEEDS_TOKEN = new Set<FailureCode>(['account_limit', 'anonymous_limit']);

type Row = readonly [title: PlainKey, text: MessageKey, ErrorText['remedy']];

const SERVER_FAILED: Row = ['server_failed_title', 'server_failed_text', 'try_again'];

/** The others have texts that depend on more than the server, or `SERVER_FAILED`. */
const TEXTS: { [C in FailureCode]?: Row } = {
  unreachable: ['unreachable_title', 'unreachable_text', 'try_again'],
  timeout: ['timeout_title', 'timeout_text', 'try_again'],
  gateway_error: ['gateway_error_title', 'gateway_error_text', 'try_again'],
  redirected: ['redirected_title', 'redirected_text', 'open_options'],
  unreadable_answer: ['unreadable_answer_title', 'unreadable_answer_text', 'open_options'],
  not_curt: ['not_curt_title', 'not_curt_text', 'open_options'],
  other_server: ['other_server_title', 'other_server_text', 'open_options'],
  account_limit: ['account_limit_title', 'account_limit_text', 'open_options'],
  anonymous_limit: ['anonymous_limit_title', 'anonymous_limit_text', 'open_options'],
  store_full: ['store_full_title', 'store_full_text', 'try_again'],
  code_invalid: ['code_invalid_title', 'code_invalid_text', 'none'],
  invalid_token: ['invalid_token_title', 'invalid_token_text', 'open_options'],
  token_required: ['token_required_title', 'token_required_text', 'open_options'],
  insufficient_scope: ['scope_title', 'manage_scope_text', 'open_options'],
  expires_in_past: ['expires_in_past_title', 'expires_in_past_text', 'change_fields'],
  invalid_url: ['url_rejected_title', 'invalid_url_text', 'none'],
  blocked_url: ['url_rejected_title', 'blocked_url_text', 'none'],
  account_suspended: ['account_suspended_title', 'account_suspended_text', 'open_options'],
  page_url_invalid: ['url_rejected_title', 'url_rejected_text', 'none'],
  selection_without_url: ['selection_none_title', 'selection_not_url_text', 'none'],
  no_match: ['no_match_title', 'no_match_text', 'none'],
  text_not_url: ['not_url_title', 'text_not_url_text', 'none'],
  url_has_secret: ['secret_title', 'secret_why', 'try_again'],
  page_is_loading: ['page_is_loading_title', 'page_is_loading_text', 'none'],
  page_has_loaded: ['page_has_loaded_title', 'page_has_loaded_text', 'none'],
  page_of_browser: ['cannot_shorten_title', 'browser_page_text', 'none'],
  page_of_extension: ['cannot_shorten_title', 'extension_page_text', 'none'],
  page_is_file: ['cannot_shorten_title', 'file_page_text', 'none'],
  page_is_short_domain: ['short_domain_title', 'short_domain_text', 'none'],
  queue_full: ['queue_full_title', 'queue_full_text', 'try_again'],
  storage_failed: ['storage_failed_title', 'storage_failed_text', 'try_again'],
  background_silent: ['no_response_title', 'no_response_text', 'try_again'],
  extension_failed: ['extension_failed_title', 'extension_failed_text', 'try_again'],
};

function failureText(failure: DescribedFailure, serverOrigin: string): ErrorText {
  switch (failure.code) {
    case 'rate_limited':
      return {
        title: t('rate_limited_title'),
        text: retryText(failure, 'rate_limited_text', 'rate_limited_until_text'),
        remedy: 'try_again',
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
    case 'invalid_request':
    case 'conflicting_expiry':
    case 'invalid_domain':
      return {
        title: t('invalid_request_title'),
        ...invalidRequestText(failure),
        // The background has read the account's domains again.
        remedy: failure.code === 'invalid_domain' ? 'try_again' : 'change_fields',
      };
    case 'page_without_url': {
      // In Chromium, pages of other extensions hide their address from the button, but not from the menu.
      const text = import.meta.env.FIREFOX
        ? t('no_url_text')
        : t('no_url_menu_text', t('menu_page'));
      return { title: t('cannot_shorten_title'), text, remedy: 'none' };
    }
    case 'page_url_too_long':
      return {
        title: t('url_too_long_title'),
        text: t('url_too_long_text', formatNumber(ORIGINAL_URL_MAX_CHARACTERS)),
        remedy: 'none',
      };
    default: {
      const [title, text, remedy] = TEXTS[failure.code] ?? SERVER_FAILED;
      const server = new URL(serverOrigin).host;
      return { title: t(title), text: lookUp(text, [server]), remedy };
    }
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
