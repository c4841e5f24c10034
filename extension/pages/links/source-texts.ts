import { t } from '../../../shared/i18n/translate.ts';
import { linkFailureText } from '../../../shared/ui/links/failure-text.ts';
import { errorText } from '../../i18n/error-text.ts';
import type { Failure, FailureCode } from '../../messaging/protocol.ts';

/** The server itself did not respond. */
const AWAY = new Set<FailureCode>(['unreachable', 'timeout', 'gateway_error', 'unreadable_answer']);

/** @param serverOrigin absent for failures of the extension itself */
export function failureText(failure: Failure, serverOrigin?: string): string {
  // Nothing was to be created here, as the general text says.
  if (failure.code === 'invalid_token') {
    return t('title_and_text', t('invalid_token_title'), t('manage_token_text'));
  }
  const { title, text } = errorText(failure, serverOrigin);
  return linkFailureText(failure.code) ?? t('title_and_text', title, text);
}

/** Why the saved links are shown instead of the server's. */
export function noticeOf(failure: Failure, serverOrigin: string): string {
  const server = new URL(serverOrigin).host;
  return AWAY.has(failure.code)
    ? t('list_offline', server)
    : t('list_stale', server, failureText(failure, serverOrigin));
}
