/** What a link is for its visitors. `blocked` is set by the operator. */
export const LINK_STATUSES = [
  'active',
  'scheduled',
  'inactive',
  'expired',
  'used_up',
  'domain_removed',
  'blocked',
  'deleted',
] as const;
export type LinkStatus = (typeof LINK_STATUSES)[number];
