import { type CountForms, formatNumber, sayCount } from '../../i18n/plural.ts';
import { t } from '../../i18n/translate.ts';

const COUNT = {
  zero: 'links_count_zero',
  one: 'links_count_one',
  two: 'links_count_two',
  few: 'links_count_few',
  many: 'links_count_many',
  other: 'links_count_other',
} as const satisfies CountForms;

const DROPPED = {
  zero: 'links_dropped_other',
  one: 'links_dropped_one',
  two: 'links_dropped_other',
  few: 'links_dropped_few',
  many: 'links_dropped_many',
  other: 'links_dropped_other',
} as const satisfies CountForms;

/** `12 links`, or `3 of 12 links` where a search leaves some out. */
export function sayFound(found: number, all: number): string {
  const links = sayCount(COUNT, all);
  return found === all ? links : t('links_found', formatNumber(found), links);
}

export function sayDropped(count: number): string {
  return sayCount(DROPPED, count);
}
