import {
  formatDate,
  formatDuration,
  formatShortDay,
  formatTinyDay,
} from '../../../i18n/format-time.ts';
import { formatCount } from '../../../i18n/plural.ts';
import { t } from '../../../i18n/translate.ts';
import type { LinkRecord } from '../../../links/link-record.ts';
import type { LinkStatus } from '../../../links/link-status.ts';
import { Icon, type IconName } from '../../Icon.tsx';
import { STATUS_TEXTS } from '../link-texts.ts';

/** What the owner has done is no fault. */
const STATUS_ICONS = new Map<LinkStatus, IconName>([
  ['inactive', 'pause'],
  ['deleted', 'remove'],
  ['blocked', 'blocked'],
  ['scheduled', 'scheduled'],
]);

type LinkFactsProps = { link: LinkRecord; nowMs: number };

/** Renders what visitors of a link should expect. */
export function LinkFacts({ link, nowMs }: LinkFactsProps) {
  const { expiresAt, hasPassword, waitTimer, rules, status } = link;
  const hasExpired = expiresAt !== null && Date.parse(expiresAt) <= nowMs;
  // The date says so already.
  const isStatusShown = status !== 'active' && status !== 'expired';
  const startsAt = status === 'scheduled' ? link.startsAt : null;
  const wait = t('waits', formatDuration(waitTimer));
  return (
    <div class="link-facts">
      {isStatusShown && (
        <span
          class={`fact status ${status}`}
          title={startsAt ? formatDate(startsAt) : t(STATUS_TEXTS[status])}
        >
          <Icon name={STATUS_ICONS.get(status) ?? 'alert'} />
          {startsAt ? (
            <Day text="starts_on" iso={startsAt} nowMs={nowMs} />
          ) : (
            t(STATUS_TEXTS[status])
          )}
        </span>
      )}
      {expiresAt && (
        <span class={hasExpired ? 'fact expired' : 'fact'} title={formatDate(expiresAt)}>
          <Icon name={hasExpired ? 'alert' : 'expiry'} />
          <Day text={hasExpired ? 'expired_on' : 'expires_on'} iso={expiresAt} nowMs={nowMs} />
        </span>
      )}
      {rules.length > 0 && (
        <span class="fact" title={formatCount('rules_count', rules.length)}>
          <Icon name="rules" />
          <span class="visually-hidden">{formatCount('rules_count', rules.length)}</span>
        </span>
      )}
      {hasPassword && (
        <span class="fact" title={t('has_password')}>
          <Icon name="lock" />
          <span class="visually-hidden">{t('has_password')}</span>
        </span>
      )}
      {link.manyWrongPasswords && (
        <span class="fact wrong-passwords" title={t('many_wrong_passwords_hint')}>
          <Icon name="alert" />
          {t('many_wrong_passwords')}
          <span class="visually-hidden">{t('many_wrong_passwords_hint')}</span>
        </span>
      )}
      {waitTimer > 0 && (
        <span class="fact" title={wait}>
          <Icon name="wait" />
          <span class="visually-hidden">{wait}</span>
          <span class="duration" aria-hidden="true">
            {formatDuration(waitTimer)}
          </span>
        </span>
      )}
    </div>
  );
}

type DayProps = { text: 'starts_on' | 'expires_on' | 'expired_on'; iso: string; nowMs: number };

/** Where there is little space, the icon beside it says what happens on that day. */
function Day({ text, iso, nowMs }: DayProps) {
  const long = t(text, formatShortDay(iso));
  return (
    <>
      <span class="visually-hidden">{long}</span>
      <span class="long" aria-hidden="true">
        {long}
      </span>
      <span class="short" aria-hidden="true">
        {formatTinyDay(iso, nowMs)}
      </span>
    </>
  );
}
