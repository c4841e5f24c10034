import { formatCount, formatNumber } from '../../i18n/plural.ts';
import { t } from '../../i18n/translate.ts';

export type FoundOptions = {
  /** How many links there are without a filter, if known. */
  total: number | undefined;
  /** Whether there are more than those found so far. */
  hasMore: boolean;
};

/** `12 links`, `3 of 12 links` where a filter leaves some out, or `50 of many links`. */
export function formatFound(found: number, { total, hasMore }: FoundOptions): string {
  if (hasMore) return t('links_loaded', formatNumber(found));
  const links = formatCount('links_count', total ?? found);
  return total === undefined || found === total
    ? links
    : t('links_found', formatNumber(found), links);
}
