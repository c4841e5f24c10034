import type { Failure } from '../../../../shared/client.ts';
import { type FailureText, failureText } from '../../../../shared/i18n/failure-text.ts';
import { t } from '../../../../shared/i18n/translate.ts';

const EXPLAINED: Failure['code'][] = [
  ...(['not_found', 'not_administrator', 'invalid_url', 'domain_exists', 'domain_in_use'] as const),
];

/** The server's own message says best what an administrator has to change. */
export function adminFailure(failure: Failure, origin: string): FailureText {
  const { code, message } = failure;
  if (code === 'rate_limited') return { ...failureText(failure, origin), text: t('try_later') };
  if (!EXPLAINED.includes(code)) return failureText(failure, origin);
  return { title: t('admin_not_done'), text: message, isEnglish: true };
}
