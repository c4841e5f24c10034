import { formatCount, formatNumber } from '../../i18n/plural.ts';
import { type PlainKey, t } from '../../i18n/translate.ts';
import type { LinkSort, LinkTotal } from '../../links/link-list.ts';
import type { LinkStatus } from '../../links/link-status.ts';

export const STATUS_TEXTS = {
  active: 'status_active',
  scheduled: 'status_scheduled',
  inactive: 'status_inactive',
  expired: 'status_expired',
  used_up: 'status_used_up',
  domain_removed: 'status_domain_removed',
  blocked: 'status_blocked',
  deleted: 'status_deleted',
} as const satisfies Record<LinkStatus, PlainKey>;

/** Returns `12 links`, or `More than 10,000 links`. */
export function formatTotal({ count, isExact }: LinkTotal): string {
  return isExact ? formatCount('links_count', count) : t('links_more_than', formatNumber(count));
}

export const SORT_TEXTS = {
  created: 'sort_created',
  visits: 'sort_visits',
  lastVisit: 'sort_last_visit',
  alias: 'sort_alias',
} as const satisfies Record<LinkSort, PlainKey>;
