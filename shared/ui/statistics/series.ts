import { formatNumber } from '../../i18n/plural.ts';
import { formatTag, type PlainKey, t } from '../../i18n/translate.ts';
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

/** Formats visits, visitors and the numbers of further series: `Visits: 12, Visitors: 9, Bots: 3`. */
export function formatCounts(counts: Counts, series: readonly SeriesName[]): string {
  const parts = countsOf(series).map((name) =>
    t('visits_of_kind', t(COUNT_LABELS[name]), formatNumber(counts[name])),
  );
  return new Intl.ListFormat(formatTag(), { type: 'unit', style: 'short' }).format(parts);
}

/** The numbers that belong to some series. */
export function countsOf(series: readonly SeriesName[]): (keyof Counts)[] {
  return series.flatMap((name) => (name === 'people' ? ['people', 'uniquePeople'] : [name]));
}

/** Whether nobody and nothing visited. */
export function isEmpty({ people, previews, bots }: Counts): boolean {
  return people + previews + bots === 0;
}
