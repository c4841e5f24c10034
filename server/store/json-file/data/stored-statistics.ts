import { hourNumber } from '../../../lib/time.ts';
import { type HistoryRecord, splitKey } from '../../records.ts';
import {
  fromHistoryJson,
  History,
  type HistoryJson,
  toHistoryJson,
} from '../../statistics/history.ts';
import { type LinkVisits, subjectOf, sumUp, type Visits } from '../../statistics/link-visits.ts';
import type { Counts } from '../../statistics/series.ts';
import type { Statistics, VisitsOf, VisitsPerDay } from '../../visits.ts';

/** The statistics of all links and accounts that were visited. */
export class StoredStatistics {
  readonly #histories = new Map<string, History>();
  readonly #exists: (kind: string, id: string) => boolean;
  /** Receives histories as they were when the snapshot began, and those that it has already. */
  #snapshot: { write: (record: HistoryRecord) => void; has: WeakSet<History> } | undefined;

  /** @param exists whether there is a `link` or an `account`; what is added to another one is lost */
  constructor(exists: (kind: string, id: string) => boolean) {
    this.#exists = exists;
  }

  add(visits: Iterable<LinkVisits>): void {
    for (const { subject, ...sum } of sumUp([...visits])) {
      // A loaded link may be missing that was purged while the snapshot was written. Its account keeps visits.
      if (this.#exists(...splitKey(subject))) this.#addTo(subject, sum);
    }
  }

  /** @param now milliseconds since the epoch */
  read(of: VisitsOf, now: number): Statistics {
    const history = this.#histories.get(subjectOf(of)) ?? new History();
    return history.toStatistics(hourNumber(now));
  }

  ofLink(linkId: string): History | undefined {
    return this.#histories.get(subjectOf({ linkId }));
  }

  /** See `LinkQuery.sort`. */
  lastVisit(linkId: string): number {
    return this.ofLink(linkId)?.lastVisit ?? 0;
  }

  /** See `Store.readVisitsPerDay`. */
  readPerDay(linkIds: readonly string[], from: number): VisitsPerDay {
    const perDay: VisitsPerDay = new Map();
    for (const linkId of linkIds) {
      const history = this.ofLink(linkId);
      if (history) perDay.set(linkId, history.peoplePerDay(hourNumber(from)));
    }
    return perDay;
  }

  /** @param from milliseconds since the epoch */
  peoplePerDay(of: VisitsOf, from: number): Map<number, number> {
    return this.#histories.get(subjectOf(of))?.peoplePerDay(hourNumber(from)) ?? new Map();
  }

  load(subject: string, json: HistoryJson): void {
    this.#histories.set(subject, fromHistoryJson(json));
  }

  erase(of: VisitsOf): void {
    this.#histories.delete(subjectOf(of));
  }

  /**
   * Everything as it is now, whatever is added while it is read. Visits are the only changes that must not be
   * applied twice, and the journal has what comes from now on.
   *
   * @param write receives what changes before it is read
   */
  beginSnapshot(write: (record: HistoryRecord) => void): Iterable<HistoryRecord> {
    const has = new WeakSet<History>();
    this.#snapshot = { write, has };
    const [histories, exists] = [this.#histories, this.#exists];
    return (function* () {
      for (const [subject, history] of histories) {
        // Links of deleted accounts are removed a little later.
        if (has.has(history) || !exists(...splitKey(subject))) continue;
        has.add(history);
        yield toRecord(subject, history);
      }
    })();
  }

  endSnapshot(): void {
    this.#snapshot = undefined;
  }

  #addTo(subject: string, { hour, counts, tallies }: Visits): void {
    const known = this.#histories.get(subject);
    const history = known ?? new History();
    if (!known) this.#histories.set(subject, history);
    if (this.#snapshot && !this.#snapshot.has.has(history)) {
      this.#snapshot.has.add(history);
      if (known) this.#snapshot.write(toRecord(subject, history));
    }
    history.add(hour, counts, tallies);
  }
}

function toRecord(subject: string, history: History): HistoryRecord {
  return ['history', subject, toHistoryJson(history)];
}

/** Visits in a line of the journal, to be added once. */
export type VisitsJson = [
  linkId: string,
  accountId: string,
  /** Hours since the epoch. */
  hour: number,
  ...counts: Counts,
  tallies: Record<string, number>,
][];

export function toVisitsJson(visits: Iterable<LinkVisits>): VisitsJson {
  return Array.from(visits, ({ linkId, accountId, hour, counts, tallies }) => [
    linkId,
    accountId,
    hour,
    ...counts,
    Object.fromEntries(tallies),
  ]);
}

export function* fromVisitsJson(visits: VisitsJson): Generator<LinkVisits> {
  for (const [linkId, accountId, hour, people, uniquePeople, previews, bots, tallies] of visits) {
    const counts: Counts = [people, uniquePeople, previews, bots];
    yield { linkId, accountId, hour, counts, tallies: new Map(Object.entries(tallies)) };
  }
}
