import { formatDate, formatDuration } from '../../../../shared/i18n/format-time.ts';
import { t } from '../../../../shared/i18n/translate.ts';
import { statusOf } from '../../../../shared/links/shown-link.ts';
import type { LinkSummary } from '../../../links/link.ts';

/** What visitors of a link should expect: a paused link, a password, a wait, an expiry date. */
export function linkFacts(link: LinkSummary): string[] {
  const { expiresAt, hasPassword, waitTimer } = link;
  return [
    statusOf(link) === 'inactive' && t('status_inactive'),
    hasPassword && t('has_password'),
    waitTimer > 0 && t('waits', formatDuration(waitTimer)),
    expiresAt && t('expires_on', formatDate(expiresAt)),
  ].filter((fact) => typeof fact === 'string');
}
