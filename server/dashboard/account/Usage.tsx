import { formatDay } from '../../../shared/i18n/format-time.ts';
import { formatLeft, formatNumber } from '../../../shared/i18n/plural.ts';
import { t } from '../../../shared/i18n/translate.ts';
import type { Account } from './account-state.ts';

/** What the account has, and what its limits leave. */
export function Usage({ account }: { account: Account | undefined }) {
  return (
    <section class="card" aria-labelledby="usage-heading">
      <h2 id="usage-heading">{t('usage_heading')}</h2>
      <dl class="facts">
        <div>
          <dt>{t('usage_links')}</dt>
          <dd>{account ? formatNumber(account.links) : '…'}</dd>
        </div>
        <div>
          <dt>{t('limit_month')}</dt>
          <dd>{account ? quotaText(account) : '…'}</dd>
        </div>
        <div>
          <dt>{t('account_created')}</dt>
          <dd>{account ? formatDay(account.created) : '…'}</dd>
        </div>
      </dl>
    </section>
  );
}

function quotaText({ quota: { limit, remaining, resetsAt } }: Account): string {
  if (limit === null || remaining === null) return t('quota_unlimited');
  const left = t('limit_left', ...formatLeft({ limit, remaining }));
  return t('quota_left_until', left, formatDay(resetsAt));
}
