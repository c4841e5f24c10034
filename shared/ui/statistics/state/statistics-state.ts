import { computed, signal } from '@preact/signals';
import type { FailureText } from '../../../i18n/failure-text.ts';
import type { StatisticsReport } from '../../../statistics.ts';
import { SERIES, type SeriesName } from '../series.ts';
import type { StatisticsSource } from '../statistics-source.ts';
import { type Dates, dateIn, isValid, plusDays, type RangeName, toQuery } from './ranges.ts';
import { browserTimeZone } from './time-zones.ts';

export type StatisticsParts = {
  source: StatisticsSource;
  /** In the names of exported files: an alias or `account`. */
  name: string;
  now?: () => Date;
};
export type StatisticsState = ReturnType<typeof createStatisticsState>;

/** The statistics of a link or an account: what is chosen, and the report about it. */
export function createStatisticsState({ source, name, now = () => new Date() }: StatisticsParts) {
  const range = signal<RangeName>('days30');
  const timeZone = signal(browserTimeZone());
  const dates = signal<Dates>({ from: '', to: '' });
  const report = signal<StatisticsReport | undefined>(undefined);
  const failure = signal<FailureText | undefined>(undefined);
  const isLoading = signal(false);
  const shownSeries = signal<readonly SeriesName[]>(SERIES);
  /** Index of the period whose numbers the chart shows. */
  const current = signal<number | undefined>(undefined);
  const today = computed(() => dateIn(timeZone.value, now()));
  const areDatesValid = computed(() => range.value !== 'custom' || isValid(dates.value));
  /** Counts the requests: only the answer to the latest is shown. */
  let requests = 0;

  async function refresh(): Promise<void> {
    requests += 1;
    if (!areDatesValid.value) {
      isLoading.value = false;
      return;
    }
    const request = requests;
    const choice = { range: range.value, dates: dates.value, timeZone: timeZone.value };
    isLoading.value = true;
    const outcome = await source.read(toQuery(choice, now()));
    if (request !== requests) return;
    isLoading.value = false;
    failure.value = outcome.ok ? undefined : outcome.failure;
    if (!outcome.ok) return;
    current.value = undefined;
    report.value = outcome.data;
  }

  function setRange(value: RangeName): Promise<void> {
    range.value = value;
    if (value === 'custom' && !isValid(dates.value)) {
      dates.value = { from: plusDays(today.value, -29), to: today.value };
    }
    return refresh();
  }

  function setDates(change: Partial<Dates>): Promise<void> {
    dates.value = { ...dates.value, ...change };
    return refresh();
  }

  function setTimeZone(value: string): Promise<void> {
    timeZone.value = value;
    return refresh();
  }

  function showSeries(name: SeriesName, isShown: boolean): void {
    const shown = new Set(shownSeries.value);
    if (isShown) shown.add(name);
    else shown.delete(name);
    shownSeries.value = SERIES.filter((one) => shown.has(one));
  }

  /** @param index of the period; undefined for none */
  function point(index: number | undefined): void {
    current.value = index;
  }

  /** Downloads the numbers that are shown. */
  async function exportCsv(): Promise<void> {
    const shown = report.value;
    if (!shown) return;
    const { saveReport } = await import('./save-report.ts');
    saveReport(shown, name);
  }

  return {
    ...{ range, timeZone, dates, today, areDatesValid, report, failure, isLoading },
    ...{ shownSeries, current },
    ...{ refresh, setRange, setDates, setTimeZone, showSeries, point, exportCsv },
  };
}
