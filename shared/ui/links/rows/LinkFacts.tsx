import { formatDate, formatDuration, formatTime } from '../../../i18n/format-time.ts';
import { formatCount, formatNumber } from '../../../i18n/plural.ts';
import { t } from '../../../i18n/translate.ts';
import { type ServerState, type ShownLink, statusOf } from '../../../links/shown-link.ts';
import { Icon } from '../../Icon.tsx';
import { STATUS_TEXTS } from '../status-texts.ts';

export type LinkFactsProps = {
  link: ShownLink;
  nowMs: number;
  /** Of the page with its visits. */
  statisticsUrl: string | undefined;
};

/** When the link was created, and what visitors should expect. */
export function LinkFacts({ link, nowMs, statisticsUrl }: LinkFactsProps) {
  const { created, expiresAt, hasPassword, waitTimerSeconds, serverState } = link;
  const hasExpired = expiresAt !== null && Date.parse(expiresAt) <= nowMs;
  const status = statusOf(link);
  // The date says so already.
  const isStatusShown = status !== 'active' && status !== 'expired';
  return (
    <p class="link-facts">
      {isStatusShown && (
        <span class="fact status">
          <Icon name="alert" />
          {t(STATUS_TEXTS[status])}
        </span>
      )}
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
          {t('waits', formatDuration(waitTimerSeconds))}
        </span>
      )}
      {serverState && (
        <span class="fact">
          {statisticsUrl ? (
            <a href={statisticsUrl} data-control="statistics" title={t('link_statistics')}>
              {visitsText(serverState)}
            </a>
          ) : (
            visitsText(serverState)
          )}
        </span>
      )}
      <time dateTime={created} title={formatDate(created)}>
        {formatTime(created)}
      </time>
    </p>
  );
}

function visitsText({ hits = 0, maxVisits }: ServerState): string {
  if (maxVisits === undefined) return formatCount('link_visits', hits);
  return t('link_visits_of', formatNumber(hits), formatCount('link_visits', maxVisits));
}
