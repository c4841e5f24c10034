import type { BlockKind } from '../../../../shared/admin/blocks.ts';

export const KIND_LABELS = {
  link: 'admin_kind_link',
  host: 'admin_kind_host',
  account: 'account_heading',
} as const satisfies Record<BlockKind, string>;

export const KINDS = Object.keys(KIND_LABELS) as BlockKind[];
