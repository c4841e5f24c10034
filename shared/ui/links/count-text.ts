import { formatCount, formatNumber } from '../../i18n/plural.ts';
import { t } from '../../i18n/translate.ts';
import type { LinkTotal } from '../../links/link-list.ts';

/** `12 links`, or `More than 10,000 links`. */
export function formatTotal({ count, isExact }: LinkTotal): string {
  return isExact ? formatCount('links_count', count) : t('links_more_than', formatNumber(count));
}
