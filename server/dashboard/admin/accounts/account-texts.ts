import type { AdminAccount } from '../../../../shared/admin/accounts.ts';
import { formatNumber } from '../../../../shared/i18n/plural.ts';
import { t } from '../../../../shared/i18n/translate.ts';
import { BASE } from '../../app/router.ts';

/** People know an account by its name, and one without a name by its ID. */
export function accountName({ name, id }: Pick<AdminAccount, 'name' | 'id'>): string {
  return name || id;
}

export function quotaText({ monthlyQuota }: AdminAccount): string {
  if (monthlyQuota === null) return t('admin_quota_default');
  return monthlyQuota === 'unlimited' ? t('quota_unlimited') : formatNumber(monthlyQuota);
}

export function stateText({ blocked, suspended }: AdminAccount): string {
  if (blocked) return t('admin_account_blocked');
  return t(suspended ? 'admin_suspended_state' : 'admin_account_active');
}

/** Returns the address of an account's page. */
export function accountPath(id: string): string {
  return `${BASE}/admin/account?id=${encodeURIComponent(id)}`;
}
