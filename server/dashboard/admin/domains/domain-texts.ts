import type { AdminDomain, EditDomainRequest } from '../../../../shared/admin/domains.ts';
import { formatNumber } from '../../../../shared/i18n/plural.ts';
import { t } from '../../../../shared/i18n/translate.ts';
import { BASE } from '../../app/router.ts';

/** Returns the address of a domain's page. */
export function domainPath(host: string): string {
  return `${BASE}/admin/domain?host=${encodeURIComponent(host)}`;
}

export function stateText({ isDefault, removed }: AdminDomain): string {
  if (removed) return t('admin_domain_removed');
  return t(isDefault ? 'admin_quota_default' : 'status_active');
}

export function accountsText({ accounts }: AdminDomain): string {
  return accounts === 'all' ? t('admin_accounts_all') : formatNumber(accounts.length);
}

/** Returns what can be set for a domain, as a request sends it. */
export function toSettings(domain: AdminDomain): EditDomainRequest {
  const { scheme, brand, rootUrl, notFoundUrl, goneUrl, accounts } = domain;
  return { scheme, brand, rootUrl, notFoundUrl, goneUrl, accounts };
}
