import { formatDate } from '../../../../shared/i18n/format-time.ts';
import { t } from '../../../../shared/i18n/translate.ts';
import type { LinkSummary } from '../../../links/link.ts';

/** What visitors of a link should expect: a password, a wait, an expiry date. */
export function linkFacts({ expiresAt, hasPassword, waitTimerSeconds }: LinkSummary): string[] {
  return [
    hasPassword && t('has_password'),
    waitTimerSeconds > 0 && t('waits_seconds', String(waitTimerSeconds)),
    expiresAt && t('expires_on', formatDate(expiresAt)),
  ].filter((fact) => typeof fact === 'string');
}
