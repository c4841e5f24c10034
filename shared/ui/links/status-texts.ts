import type { PlainKey } from '../../i18n/translate.ts';
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
