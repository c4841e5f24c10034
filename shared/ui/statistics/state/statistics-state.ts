import { batch, computed, effect, signal, untracked } from '@preact/signals';
import type { FailureText } from '../../../i18n/failure-text.ts';
import { t } from '../../../i18n/translate.ts';
import type { AccountStatisticsQuery, StatisticsQuery } from '../../../statistics.ts';
import { every, systemTime, type Time } from '../../../time.ts';
import type { Address } from '../../address.ts';
import {
  COUNT_LABELS,
  type Counts,
  SERIES,
  type SeriesName,
  type ShownReport,
  type StatisticsSource,
} from '../report.ts';
import {
  type Dates,
  dateIn,
  isValid,
  plusDays,
  previousQuery,
  type RangeName,
  readChoice,
  type StatisticsChoice,
  toQuery,
  writeChoice,
} from './ranges.ts';

const LIVE_MS = 5000;
/** The whole report is read this often at most, also if the clocks of browser and server differ. */
const WHOLE_MS = 60_000;

type StatisticsParts = {
  source: StatisticsSource;
  /** In the names of exported files: an alias or `account`. */
  name: string;
  time?: Time;
  /** Where to keep what is chosen. @default nowhere */
  address?: Address;
};
export type StatisticsState = ReturnType<typeof createStatisticsState>;

/** Creates the state of the statistics of a link or an account: what is chosen, and the report about it. */
export function createStatisticsState({
  source,
  name,
  time = systemTime,
  address,
}: StatisticsParts) {
  const first = readChoice(address?.query.peek() ?? new URLSearchParams());
  const range = signal(first.range);
  const timeZone = signal(first.timeZone);
  const dates = signal(first.dates);
  /** Empty for all links. */
  const tag = signal(first.tag);
  /** The account's tags, the most used first. */
  const tags = signal<string[]>([]);
  const report = signal<ShownReport | undefined>(undefined);
  const failure = signal<FailureText | undefined>(undefined);
  const isLoading = signal(false);
  /** Visits in the periods before those of the report, as many and in their order. */
  const before = signal<number[] | undefined>(undefined);
  const showsBots = signal(false);
  const shownSeries = computed((): readonly SeriesName[] =>
    showsBots.value ? SERIES : ['people'],
  );
  /** Index of the period whose numbers the chart shows. */
  const current = signal<number | undefined>(undefined);
  const today = () => dateIn(timeZone.value, new Date(time.now()));
  const areDatesValid = computed(
    () => range.value !== 'custom' || (isValid(dates.value) && dates.value.from <= today()),
  );
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
    const choice = chosen();
    isLoading.value = true;
    requestedMs = time.now();
    const outcome = await source.read(withTag(toQuery(choice, new Date(requestedMs))));
    if (request !== requests) return;
    isLoading.value = false;
    failure.value = outcome.ok ? undefined : outcome;
    if (!outcome.ok) return;
    current.value = undefined;
    before.value = undefined;
    report.value = outcome.data;
    readIndex = indexAt(outcome.data, requestedMs);
    void readBefore(outcome.data, request);
  }

  /** Reads the periods before, unless nobody came in them. */
  async function readBefore(shown: ShownReport, request: number): Promise<void> {
    if (shown.previous.people === 0) return;
    const outcome = await source.read(withTag(previousQuery(shown)));
    if (request !== requests || !outcome.ok) return;
    before.value = outcome.data.series.map(({ people }) => people);
  }

  const chosen = (): StatisticsChoice => ({
    range: range.value,
    dates: dates.value,
    timeZone: timeZone.value,
    tag: tag.value,
  });

  function withTag(query: StatisticsQuery): AccountStatisticsQuery {
    return tag.value === '' ? query : { ...query, tag: tag.value };
  }

  function setTag(value: string): Promise<void> {
    tag.value = value;
    return refresh();
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
    const nowMs = time.now();
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
    const outcome = await source.read(withTag({ unit, timeZone, from: latest.start }));
    if (request !== requests) return;
    failure.value = outcome.ok ? undefined : outcome;
    if (!outcome.ok) return;
    const merged = mergeLatest(shown, outcome.data);
    if (merged) report.value = merged;
    else await refresh();
  }

  /** Keeps the current period up to date while the page is visible. @returns a function that stops it */
  function start(): () => void {
    void refresh();
    void source.tags?.().then((read) => {
      tags.value = read;
    });
    const stopReading = every(time, LIVE_MS, async () => {
      if (document.visibilityState !== 'visible') return;
      // After an outage, it goes on by itself.
      await (report.value || !failure.value ? refreshLatest() : refresh());
    });
    const stop = address && keepInAddress(address);
    return () => {
      stopReading();
      stop?.();
    };
  }

  /** Keeps what is chosen in the address. Back leads to what was chosen before. */
  function keepInAddress({ query, setQuery }: Address): () => void {
    const { pathname } = location;
    const isShown = () =>
      location.pathname !== pathname ||
      JSON.stringify(writeChoice(readChoice(query.peek()))) ===
        JSON.stringify(writeChoice(chosen()));
    const stopReading = effect(() => {
      const wanted = readChoice(query.value);
      untracked(() => {
        if (isShown()) return;
        batch(() => {
          range.value = wanted.range;
          dates.value = wanted.dates;
          timeZone.value = wanted.timeZone;
          tag.value = wanted.tag;
        });
        void refresh();
      });
    });
    const stopWriting = effect(() => {
      const changes = writeChoice(chosen());
      // A date that is being typed is none yet.
      if (!areDatesValid.value) return;
      untracked(() => isShown() || setQuery(changes, { isNewEntry: true }));
    });
    return () => {
      stopReading();
      stopWriting();
    };
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
      const { saveReport } = await import('./write-report.ts');
      saveReport(shown, name);
    } catch {
      failure.value = { title: t('extension_failed_title'), text: t('part_failed_text') };
    }
  }

  return {
    ...{ range, timeZone, dates, today, areDatesValid, report, failure, isLoading },
    ...{ showsBots, showBots, shownSeries, current, before, tag, tags, setTag },
    ...{ start, refresh, refreshLatest, setRange, setDates, setTimeZone, zoom, point, exportCsv },
  };
}

/** The index of the period at a time; the number of periods if all are over, -1 if none has begun. */
function indexAt({ series, to }: ShownReport, timeMs: number): number {
  if (Date.parse(to) <= timeMs) return series.length;
  return series.findLastIndex(({ start }) => Date.parse(start) <= timeMs);
}

/**
 * Replaces the current period of a report.
 *
 * @param latest a report of that period alone
 * @returns undefined if a further period has begun, so that the whole report must be read again
 */
function mergeLatest(report: ShownReport, latest: ShownReport): ShownReport | undefined {
  const [point] = latest.series;
  const before = report.series.find(({ start }) => start === point?.start);
  if (latest.series.length !== 1 || !before || !point) return undefined;
  const totals = { ...report.totals };
  for (const name of Object.keys(COUNT_LABELS) as (keyof Counts)[]) {
    totals[name] += point[name] - before[name];
  }
  return { ...report, totals, series: report.series.map((one) => (one === before ? point : one)) };
}
