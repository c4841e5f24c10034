import { computed, signal } from '@preact/signals';
import type { FailureText } from '../../../i18n/failure-text.ts';
import { t } from '../../../i18n/translate.ts';
import { SERIES, type SeriesName } from '../series.ts';
import type { ShownReport, StatisticsSource } from '../statistics-source.ts';
import { mergeLatest } from './merge-latest.ts';
import { type Dates, dateIn, isValid, plusDays, type RangeName, toQuery } from './ranges.ts';
import { browserTimeZone } from './time-zones.ts';

const LIVE_MS = 5000;
/** The whole report is read this often at most, also if the clocks of browser and server differ. */
const WHOLE_MS = 60_000;

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
  const report = signal<ShownReport | undefined>(undefined);
  const failure = signal<FailureText | undefined>(undefined);
  const isLoading = signal(false);
  const showsBots = signal(false);
  const shownSeries = computed((): readonly SeriesName[] =>
    showsBots.value ? SERIES : ['people'],
  );
  /** Index of the period whose numbers the chart shows. */
  const current = signal<number | undefined>(undefined);
  const today = () => dateIn(timeZone.value, now());
  const areDatesValid = computed(() => range.value !== 'custom' || isValid(dates.value));
  /** Counts the requests: only the answer to the latest is shown. */
  let requests = 0;
  /** When the whole report was requested, and which period was the current one then. */
  let requestedMs = 0;
  let readIndex = -1;

  async function refresh(): Promise<void> {
    requests += 1;
    if (!areDatesValid.value) {
      isLoading.value = false;
      return;
    }
    const request = requests;
    const choice = { range: range.value, dates: dates.value, timeZone: timeZone.value };
    isLoading.value = true;
    requestedMs = now().getTime();
    const outcome = await source.read(toQuery(choice, now()));
    if (request !== requests) return;
    isLoading.value = false;
    failure.value = outcome.ok ? undefined : outcome.failure;
    if (!outcome.ok) return;
    current.value = undefined;
    report.value = outcome.data;
    readIndex = indexAt(outcome.data, requestedMs);
  }

  function setRange(value: RangeName): Promise<void> {
    range.value = value;
    if (value === 'custom' && !isValid(dates.value)) {
      dates.value = { from: plusDays(today(), -29), to: today() };
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

  /** Shows the period with this index only. An hour is the shortest. */
  async function zoom(index: number): Promise<void> {
    const shown = report.value;
    const start = shown?.series[index]?.start;
    if (!shown || start === undefined || shown.unit === 'hour') return;
    const end = shown.series[index + 1]?.start ?? shown.to;
    range.value = 'custom';
    await setDates({
      from: dateIn(shown.timeZone, new Date(start)),
      to: dateIn(shown.timeZone, new Date(Date.parse(end) - 1)),
    });
  }

  /** Reads the numbers of the current period again, if it is shown. */
  async function refreshLatest(): Promise<void> {
    const shown = report.value;
    if (!shown || isLoading.value) return;
    const nowMs = now().getTime();
    const isCustom = range.value === 'custom';
    const index = indexAt(shown, nowMs);
    const isOver = index === shown.series.length;
    // Only a range that was chosen by its dates ends with them.
    if (index !== readIndex || (isOver && !isCustom)) {
      if (nowMs - requestedMs >= WHOLE_MS) await refresh();
      return;
    }
    // A range by dates goes on to the end of the last one.
    const latest = isCustom ? shown.series[index] : shown.series.at(-1);
    if (!latest) return;
    const request = requests;
    const { unit, timeZone } = shown;
    const outcome = await source.read({ unit, timeZone, from: latest.start });
    if (request !== requests) return;
    failure.value = outcome.ok ? undefined : outcome.failure;
    if (!outcome.ok) return;
    const merged = mergeLatest(shown, outcome.data);
    if (merged) report.value = merged;
    else await refresh();
  }

  /** Keeps the current period up to date while the page is visible. @returns a function that stops it */
  function start(): () => void {
    void refresh();
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void refreshLatest();
    }, LIVE_MS);
    return () => clearInterval(timer);
  }

  function showBots(isShown: boolean): void {
    showsBots.value = isShown;
  }

  /** @param index of the period; undefined for none */
  function point(index: number | undefined): void {
    current.value = index;
  }

  /** Downloads the numbers that are shown. */
  async function exportCsv(): Promise<void> {
    const shown = report.value;
    if (!shown) return;
    try {
      const { saveReport } = await import('./save-report.ts');
      saveReport(shown, name);
    } catch {
      failure.value = { title: t('extension_failed_title'), text: t('part_failed_text') };
    }
  }

  return {
    ...{ range, timeZone, dates, today, areDatesValid, report, failure, isLoading },
    ...{ showsBots, showBots, shownSeries, current },
    ...{ start, refresh, refreshLatest, setRange, setDates, setTimeZone, zoom, point, exportCsv },
  };
}

/** The index of the period at a time; the number of periods if all are over, -1 if none has begun. */
function indexAt({ series, to }: ShownReport, timeMs: number): number {
  if (Date.parse(to) <= timeMs) return series.length;
  return series.findLastIndex(({ start }) => Date.parse(start) <= timeMs);
}
