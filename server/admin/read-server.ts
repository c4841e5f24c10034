import {
  LIMIT_CODES,
  OVERVIEW_DAYS,
  type Overview,
  type OverviewCounts,
  type SystemResponse,
} from '../../shared/admin/server.ts';
import type { Settings } from '../config.ts';
import { isPostgresUrl } from '../lib/settings.ts';
import { VERSION } from '../lib/shipped-files.ts';
import { type Clock, DAY_MS } from '../lib/time.ts';
import { isoTime } from '../links/to-link-record.ts';
import type { Traffic } from '../metrics/traffic.ts';
import { isWritable, type Store } from '../store/store.ts';

const NAMES = ['links', 'visits', 'accounts', 'reports'] as const;

/** Reads what happened on this server lately. */
export async function readOverview({
  store: { administration },
  clock,
}: {
  store: Pick<Store, 'administration'>;
  clock: Clock;
}): Promise<Overview> {
  const now = clock();
  const today = now - (now % DAY_MS);
  const first = today - (OVERVIEW_DAYS - 1) * DAY_MS;
  const perDay = await administration.countPerDay(first);
  const reports = new Map<number, number>();
  for (const reported of await administration.listReports()) {
    for (const { time } of reported.reports) {
      const day = time - (time % DAY_MS);
      reports.set(day, (reports.get(day) ?? 0) + 1);
    }
  }
  const all = { ...perDay, reports };
  const days = Array.from({ length: OVERVIEW_DAYS }, (_, index) => {
    const start = first + index * DAY_MS;
    return { start: isoTime(start), ...countsOf((name) => all[name].get(start) ?? 0) };
  });
  /** @param from days before today, and `to`, which is not included */
  const sum = (from: number, to: number) =>
    countsOf((name) => days.slice(-1 - from, -1 - to).reduce((count, day) => count + day[name], 0));
  return {
    today: countsOf((name) => days.at(-1)?.[name] ?? 0),
    yesterday: sum(1, 0),
    week: sum(7, 0),
    weekBefore: sum(14, 7),
    days,
  };
}

function countsOf(count: (name: (typeof NAMES)[number]) => number): OverviewCounts {
  return Object.fromEntries(NAMES.map((name) => [name, count(name)])) as OverviewCounts;
}

export type SystemDependencies = {
  settings: Pick<Settings, 'storeUrl'>;
  store: Pick<Store, 'metrics' | 'checkWritable' | 'administration'>;
  traffic: Pick<Traffic, 'errors'>;
  /** What was wrong with the settings or the data at the start. */
  warnings: readonly string[];
};

/** Reads what an operator wants to know about this server. @param started milliseconds since the epoch */
export async function readSystem(
  started: number,
  { settings, store, traffic, warnings }: SystemDependencies,
): Promise<SystemResponse['data']> {
  const { dataBytes, failedWrites } = store.metrics();
  const lastBackup = await store.administration.lastBackup();
  return {
    version: VERSION,
    started: isoTime(started),
    store: {
      kind: isPostgresUrl(settings.storeUrl) ? 'postgresql' : 'json-file',
      bytes: dataBytes,
      isWritable: await isWritable(store),
      failedWrites,
      lastBackup: lastBackup === undefined ? null : isoTime(lastBackup),
    },
    limitsReached: LIMIT_CODES.flatMap((code) => {
      const count = traffic.errors.get(code) ?? 0;
      return count > 0 ? [{ code, count }] : [];
    }),
    warnings: [...warnings],
  };
}
