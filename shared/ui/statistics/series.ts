import { formatNumber } from '../../i18n/plural.ts';
import { type PlainKey, shownLanguage, t } from '../../i18n/translate.ts';
import type { StatisticsReport } from '../../statistics.ts';

/** What the chart stacks, from below. */
export const SERIES = ['people', 'previews', 'bots'] as const;
export type SeriesName = (typeof SERIES)[number];

export type Counts = StatisticsReport['totals'];
export type Point = StatisticsReport['series'][number];

export const COUNT_LABELS: Record<keyof Counts, PlainKey> = {
  people: 'visits_people',
  uniquePeople: 'visits_unique_people',
  previews: 'visits_previews',
  bots: 'visits_bots',
};

/** Formats the numbers of some series: `People: 12, Bots: 3`. */
export function formatCounts(counts: Counts, names: readonly SeriesName[]): string {
  const parts = names.map((name) =>
    t('visits_of_kind', t(COUNT_LABELS[name]), formatNumber(counts[name])),
  );
  return new Intl.ListFormat(shownLanguage(), { type: 'unit', style: 'short' }).format(parts);
}

/** Whether nobody and nothing visited. */
export function isEmpty({ people, previews, bots }: Counts): boolean {
  return people + previews + bots === 0;
}
