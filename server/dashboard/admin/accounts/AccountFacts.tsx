import type { AdminAccount } from '../../../../shared/admin/accounts.ts';
import { formatDay } from '../../../../shared/i18n/format-time.ts';
import { formatNumber } from '../../../../shared/i18n/plural.ts';
import { t } from '../../../../shared/i18n/translate.ts';
import { Facts } from '../parts/Facts.tsx';
import { accountName, quotaText, stateText } from './account-texts.ts';

export function AccountFacts({ account }: { account: AdminAccount }) {
  const measure = account.blocked ?? account.suspended;
  return (
    <section class="card" aria-labelledby="facts-heading">
      <h2 id="facts-heading" tabIndex={-1} dir="auto">
        {accountName(account)}
      </h2>
      <Facts
        facts={[
          ['ID', account.id],
          [t('filter_status'), stateText(account)],
          ...(measure ? [[t('admin_reason'), measure.reason] as const] : []),
          [t('admin_created'), formatDay(account.created)],
          [t('usage_links'), formatNumber(account.links)],
          [t('limit_month'), formatNumber(account.linksThisMonth)],
          [t('admin_quota'), quotaText(account)],
        ]}
      />
    </section>
  );
}
