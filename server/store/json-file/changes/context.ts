import type { Change } from '../files/line-record.ts';
import type { GroupCommit } from '../journal/group-commit.ts';
import type { State } from '../memory/state.ts';
import type { Reservations, Taken } from './reservations.ts';

/** What every change needs. */
export type ChangeContext = {
  state: State;
  reserved: Reservations;
  commits: GroupCommit<Change>;
  /** Milliseconds since the epoch. */
  clock: () => number;
  /** Counts a change to what `findLink` returned before. */
  countChange: () => void;
};

/** An attempt that hangs on a call that is under way, and has to be made again afterwards. */
export type Undecided = { decided: Promise<void> };

/**
 * Repeats an attempt until it depends on no call that is under way. An attempt is synchronous, so that
 * nothing changes between its checks and its reservation.
 *
 * Not async: the promise that the commit settles is the one that the caller awaits.
 */
export function untilDecided<T>(attempt: () => T | Promise<T> | Undecided): Promise<T> {
  try {
    const result = attempt();
    if (isUndecided(result)) return result.decided.then(() => untilDecided(attempt));
    return Promise.resolve(result);
  } catch (error) {
    return Promise.reject(error);
  }
}

/** Reserves what the change needs, writes the change, and applies it to memory once it is on disk. */
export function commitChange<T>(
  { reserved, commits }: Pick<ChangeContext, 'reserved' | 'commits'>,
  taken: Taken,
  change: Change,
  apply: () => T,
): Promise<T> {
  const reservation = reserved.take(taken);
  return new Promise((resolve, reject) => {
    commits.commit({
      change,
      apply: () => {
        const result = apply();
        reserved.release(reservation);
        resolve(result);
      },
      discard: (error) => {
        reserved.release(reservation);
        reject(error);
      },
    });
  });
}

function isUndecided(result: unknown): result is Undecided {
  return typeof result === 'object' && result !== null && 'decided' in result;
}
