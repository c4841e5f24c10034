/**
 * What counts against a quota of an account besides the links that it has: links that were purged, and
 * aliases. A link counts as one, so a count can be negative.
 */
export type QuotaUseJson = {
  accountId: string;
  /** As `monthNumber` returns it; missing: the limit of imports. */
  month?: number;
  count: number;
};
