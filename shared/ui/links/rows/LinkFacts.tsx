import { formatDate, formatDuration, formatTime } from '../../../i18n/format-time.ts';
import { formatCount, formatNumber } from '../../../i18n/plural.ts';
import { t } from '../../../i18n/translate.ts';
import type { LinkStatus } from '../../../links/link-record.ts';
import { type ServerState, type ShownLink, statusOf } from '../../../links/shown-link.ts';
import { Icon, type IconName } from '../../Icon.tsx';
import { STATUS_TEXTS } from '../status-texts.ts';
import { Sparkline } from './Sparkline.tsx';

/** What the owner has done is no fault. */
const STATUS_ICONS = new Map<LinkStatus, IconName>([
  ['inactive', 'pause'],
  ['deleted', 'remove'],
  ['blocked', 'blocked'],
]);

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
        <span class={`fact status ${status}`}>
          <Icon name={STATUS_ICONS.get(status) ?? 'alert'} />
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
      {link.visits30?.some((people) => people > 0) && <Sparkline days={link.visits30} />}
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
