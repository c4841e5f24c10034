import { type ClientBase, DatabaseError } from 'pg';

/** The timeline is a number that grows when a standby is promoted. */
const READ_TIMELINE = `SELECT system_identifier::text AS system,
    ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::integer AS timeline
  FROM pg_control_system()`;

/**
 * SQLSTATE codes of databases that only resemble PostgreSQL, or of a role that may not know this: the
 * feature is not supported, no permission, no such function.
 */
const UNKNOWN = ['0A000', '42501', '42883'];

type Timeline = { system: string; timeline: number };

/** Notices a primary that others have followed already: it does not have what was changed since then. */
export class Timelines {
  readonly #onError: (error: Error) => void;
  #newest: Timeline | undefined;
  #last: Timeline | undefined;

  /** @param onError called each time that connections lead to such a primary instead of another one */
  constructor(onError: (error: Error) => void) {
    this.#onError = onError;
  }

  /** @param client a connection to a primary */
  async check(client: ClientBase): Promise<void> {
    const [now] = await client.query<Timeline>(READ_TIMELINE).then(
      ({ rows }) => rows,
      (error) => {
        if (error instanceof DatabaseError && UNKNOWN.includes(error.code ?? '')) return [];
        throw error;
      },
    );
    if (!now) return;
    const [last, newest] = [this.#last, this.#newest];
    this.#last = now;
    if (now.system !== newest?.system || now.timeline >= newest.timeline) this.#newest = now;
    else if (now.timeline !== last?.timeline) this.#onError(splitBrain(now, newest));
  }
}

function splitBrain(now: Timeline, newest: Timeline): Error {
  return new Error(
    `The database is on timeline ${now.timeline} and accepts changes, but was on timeline ${newest.timeline} before: there are or were two primaries, each with changes that the other does not have. Stop the one that is wrong. docs/postgresql.md, "Failover", says how to prevent this.`,
  );
}
