import { getHeapStatistics } from 'node:v8';
import { hourNumber } from '../../../lib/time.ts';
import { type HistoryRecord, splitKey } from '../../records.ts';
import {
  fromHistoryJson,
  History,
  type HistoryJson,
  SHRINK_LEVEL_MAX,
  toHistoryJson,
} from '../../statistics/history.ts';
import { type LinkVisits, subjectOf, sumUp, type Visits } from '../../statistics/link-visits.ts';
import { type Counts, keepTop } from '../../statistics/series.ts';
import type { Statistics, Tallies, VisitsOf, VisitsPerDay } from '../../visits.ts';

/** A quarter of the memory: visits alone must neither end the server nor keep others from adding links. */
const BYTES_MAX = getHeapStatistics().heap_size_limit / 4;
/** Share of it that is left when it has been too much. */
const CALM_SHARE = 0.75;
/** Above this share, names that are added are summed up at once. */
const NAMELESS_SHARE = 1.25;
/** Histories that are made smaller after a line of visits, so that the event loop is not blocked. */
const SHRUNK_AT_ONCE = 100;

/**
 * The statistics of all links and accounts that were visited, which take no more than a number of bytes: beyond it,
 * the rarest names become `other`.
 */
export class StoredStatistics {
  readonly #histories = new Map<string, History>();
  /** What they take. */
  #bytes = 0;
  readonly #maxBytes: number;
  /** The histories that are still to be made smaller, and how much. */
  #shrinking: { left: Iterator<[subject: string, history: History]>; level: number } | undefined;
  readonly #exists: (kind: string, id: string) => boolean;
  /** Receives histories as they were when the snapshot began, and those that it has already. */
  #snapshot: { write: (record: HistoryRecord) => void; has: WeakSet<History> } | undefined;

  /**
   * @param exists whether there is a `link` or an `account`; what is added to another one is lost
   * @param maxBytes what is in memory of all histories. @default a quarter of the memory of Node.js
   */
  constructor(exists: (kind: string, id: string) => boolean, maxBytes = BYTES_MAX) {
    this.#exists = exists;
    this.#maxBytes = maxBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  add(visits: Iterable<LinkVisits>): void {
    for (const { subject, ...sum } of sumUp([...visits])) {
      // A loaded link may be missing that was purged while the snapshot was written. Its account keeps visits.
      if (this.#exists(...splitKey(subject))) this.#addTo(subject, sum);
    }
    this.#shrinkSome();
  }

  /** @param now milliseconds since the epoch */
  read(of: VisitsOf, now: number): Statistics {
    const history = this.#histories.get(subjectOf(of)) ?? new History();
    return history.toStatistics(hourNumber(now));
  }

  ofLink(linkId: string): History | undefined {
    return this.#histories.get(subjectOf({ linkId }));
  }

  /** See `LinkPageQuery.sort`. */
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
    this.#forget(subject);
    const history = fromHistoryJson(json);
    this.#histories.set(subject, history);
    this.#bytes += history.bytes;
    this.#shrinkSome();
  }

  erase(of: VisitsOf): void {
    this.#forget(subjectOf(of));
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
    if (!known) {
      this.#histories.set(subject, history);
      this.#snapshot?.has.add(history);
    }
    const isTooMuch = this.#bytes > NAMELESS_SHARE * this.#maxBytes;
    this.#change(subject, history, () => {
      history.add(hour, counts, isTooMuch ? withoutNames(tallies) : tallies);
    });
  }

  /** Changes a history, of which a snapshot gets what it was before. */
  #change(subject: string, history: History, change: () => void): void {
    if (this.#snapshot && !this.#snapshot.has.has(history)) {
      this.#snapshot.has.add(history);
      this.#snapshot.write(toRecord(subject, history));
    }
    const before = history.bytes;
    change();
    this.#bytes += history.bytes - before;
  }

  #forget(subject: string): void {
    this.#bytes -= this.#histories.get(subject)?.bytes ?? 0;
    this.#histories.delete(subject);
  }

  /** If there is too much, goes on with making all histories a little smaller, again and again. */
  #shrinkSome(): void {
    if (this.#bytes <= this.#maxBytes && !this.#shrinking) return;
    this.#shrinking ??= { left: this.#histories.entries(), level: 1 };
    for (let count = 0; count < SHRUNK_AT_ONCE; count++) {
      if (this.#bytes <= CALM_SHARE * this.#maxBytes) {
        this.#shrinking = undefined;
        return;
      }
      const { left, level } = this.#shrinking;
      const { value, done } = left.next();
      if (done) {
        const next = Math.min(level + 1, SHRINK_LEVEL_MAX);
        this.#shrinking = { left: this.#histories.entries(), level: next };
      } else {
        const [subject, history] = value;
        this.#change(subject, history, () => history.shrink(level));
      }
    }
  }
}

function withoutNames(tallies: Tallies): Tallies {
  const others = new Map(tallies);
  keepTop(others, 0);
  return others;
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
