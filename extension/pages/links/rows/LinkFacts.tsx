import { formatDate, formatTime } from '../../../../shared/i18n/format-time.ts';
import { t } from '../../../../shared/i18n/translate.ts';
import { Icon } from '../../../../shared/ui/Icon.tsx';
import type { ListedLink } from '../../../links/link.ts';

/** When the link was created, and what visitors should expect. */
export function LinkFacts({ link, nowMs }: { link: ListedLink; nowMs: number }) {
  const { created, expiresAt, hasPassword, waitTimerSeconds, isImported } = link;
  const hasExpired = expiresAt !== null && Date.parse(expiresAt) <= nowMs;
  return (
    <p class="facts">
      {expiresAt && (
        <span class={hasExpired ? 'fact expired' : 'fact'}>
          {hasExpired && <Icon name="alert" />}
          {t(hasExpired ? 'expired_on' : 'expires_on', formatDate(expiresAt))}
        </span>
      )}
      {hasPassword && (
        <span class="fact">
          <Icon name="lock" />
          {t('has_password')}
        </span>
      )}
      {waitTimerSeconds > 0 && (
        <span class="fact">
          <Icon name="wait" />
          {t('waits_seconds', String(waitTimerSeconds))}
        </span>
      )}
      {isImported && <span class="fact">{t('imported')}</span>}
      <time dateTime={created} title={formatDate(created)}>
        {formatTime(created)}
      </time>
    </p>
  );
}
