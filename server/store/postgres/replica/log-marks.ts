import type { ChangeNotice } from '../changes/change-notice.ts';

/** How far a replica may be behind to be used. */
export const LAG_MAX_MS = 5000;

/** A place in the write-ahead log of a database. Places of one history can be compared. */
export type LogPlace = { history: string; position: number };

/** Everything from before `at` is in the log before its place. Times are those of `performance.now()`. */
type LogMark = LogPlace & { at: number };

/** A standby of another primary, or one that did not follow a failover, has another history. */
const HISTORY = `(SELECT system_identifier FROM pg_control_system()) || '/' || current_database()`;

/**
 * The place to which the primary has written. At the start of a page of the log, it says instead where the
 * next change goes: behind the page's header, which has 24 bytes, or 40 in the first page of a file. A
 * standby reaches that place only with the next change, which may come much later.
 */
export const READ_PRIMARY_PLACE = `SELECT
    pg_wal_lsn_diff(lsn, '0/0')::bigint - CASE
      WHEN file_offset = 40 THEN 40
      WHEN file_offset % current_setting('wal_block_size')::integer = 24 THEN 24
      ELSE 0 END AS position,
    ${HISTORY} || '/' || ('x' || left(file_name, 8))::bit(32)::integer AS history
  FROM pg_current_wal_insert_lsn() AS lsn, pg_walfile_name_offset(lsn)`;

/** The place that a standby has reached. No row: it is none. */
export const READ_STANDBY_PLACE = `SELECT
    pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::bigint AS position,
    ${HISTORY} || '/' || timeline_id AS history
  FROM pg_control_checkpoint() WHERE pg_is_in_recovery()`;

/**
 * Knows for the last seconds where the primary was in its write-ahead log, and which links were changed.
 * So it is known of what a standby has whether it is current.
 */
export class LogMarks {
  /** Oldest first. */
  #marks: LogMark[] = [];
  /** By key of an alias: when the last notice of a change arrived. Oldest first. */
  readonly #changes = new Map<string, number>();
  #allChangedAt = Number.NEGATIVE_INFINITY;

  /** @param at before the primary was asked for the place */
  add(at: number, { history, position }: LogPlace): void {
    this.#marks.push({ at, history, position });
    // The first one is at least `LAG_MAX_MS` old, or the first of all.
    while (at - (this.#marks[1]?.at ?? at) >= LAG_MAX_MS) this.#marks.shift();
    for (const [key, changedAt] of this.#changes) {
      if (changedAt >= this.oldestAt) break;
      this.#changes.delete(key);
    }
  }

  note(notice: ChangeNotice): void {
    const now = performance.now();
    if (notice === 'all') {
      this.#allChangedAt = now;
      return;
    }
    for (const key of notice.aliases ?? []) {
      this.#changes.delete(key);
      this.#changes.set(key, now);
    }
  }

  /** When the alias was changed, if that was after `oldestAt`; otherwise, it may be an earlier time. */
  changedAt(key: string): number {
    return Math.max(this.#allChangedAt, this.#changes.get(key) ?? Number.NEGATIVE_INFINITY);
  }

  get oldestAt(): number {
    return this.#marks[0]?.at ?? Number.POSITIVE_INFINITY;
  }

  get newestAt(): number {
    return this.#marks.at(-1)?.at ?? Number.NEGATIVE_INFINITY;
  }

  /**
   * Whoever has reached the place has everything from before this time: -Infinity if that is not known yet,
   * undefined if it is more than `LAG_MAX_MS` ago, or if the place is one of another history.
   */
  timeOf({ history, position }: LogPlace): number | undefined {
    const reached = this.#marks.findLast(
      (mark) => mark.history === history && mark.position <= position,
    );
    if (reached) return reached.at;
    return this.newestAt - this.oldestAt < LAG_MAX_MS ? Number.NEGATIVE_INFINITY : undefined;
  }
}
