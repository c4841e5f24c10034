import { formatCount, formatNumber } from '../../../shared/i18n/plural.ts';
import { t } from '../../../shared/i18n/translate.ts';

/** `12 links`, or `3 of 12 links` where a search leaves some out. */
export function formatFound(found: number, all: number): string {
  const links = formatCount('links_count', all);
  return found === all ? links : t('links_found', formatNumber(found), links);
}

export function formatDropped(count: number): string {
  return formatCount('links_dropped', count);
}
