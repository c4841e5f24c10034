import { rateLimited, ServiceError } from '../lib/service-error.ts';
import type { ClientAddress } from './client-address.ts';
import { addressKey } from './limit-counter.ts';
import type { Limits } from './limits.ts';

/** Counts for an account and, so many times as wide, for an address: several accounts can share one. */
function accountKey(accountId: string, address: ClientAddress, addressFactor: number): string {
  return `${addressKey(address, { factor: addressFactor })} 1*${accountId}`;
}

const ASKER_ADDRESS_FACTOR = 10;
/** Suggestions end with these before they end with random characters. */
const NUMBERED = /-[2-5]$/;
const NUMBERS = 4;
const TOO_MANY_TAKEN =
  'Too many aliases that somebody has were asked for. Requests without an alias still work.';

export type Asker = { account: { id: string } | undefined; address: ClientAddress };

export type AliasAnswers = ReturnType<typeof createAliasAnswers>;

/**
 * Limits how often a client is told whether others have an alias: otherwise, it could look for secret links in
 * words by the thousand, which visits do not allow. In an hour, it is told as often as it can visit unknown
 * aliases in a minute: nobody tries more to find a free one.
 *
 * @see docs/settings.md
 */
export function createAliasAnswers(limits: Limits) {
  // Of an account, or an address without one.
  const store = limits.exchanged('alias answer');
  // By themselves, because a dry run is usually followed by the import.
  const dryRuns = limits.exchanged('dry alias answer');
  const keyOf = ({ account, address }: Asker) => {
    if (account) return accountKey(account.id, address, ASKER_ADDRESS_FACTOR);
    return `${addressKey(address, { factor: ASKER_ADDRESS_FACTOR })} ${addressKey(address)}`;
  };

  return {
    /**
     * Runs what fails with `alias_taken` if somebody has the alias. Only then it counts, with what its
     * suggestions tell.
     *
     * @throws ServiceError `rate_limited` before it runs
     */
    async ask<T>(asker: Asker, run: () => Promise<T>): Promise<T> {
      const key = keyOf(asker);
      const waitMs = store.reserve(key);
      if (waitMs > 0) throw rateLimited(TOO_MANY_TAKEN, Math.ceil(waitMs / 1000));
      let suggestions: string[] | undefined;
      try {
        return await run();
      } catch (error) {
        if (error instanceof ServiceError && error.code === 'alias_taken') {
          suggestions = error.details.suggestions ?? [];
        }
        throw error;
      } finally {
        if (suggestions) {
          store.keep(key);
          const skipped = skippedNumbers(suggestions);
          if (skipped > 0) store.count(key, skipped);
        } else {
          store.takeBack(key);
        }
      }
    },

    /** Whether so many answers, or one at all, are left, which then count. */
    pay(asker: Asker, count: number, isDryRun: boolean): boolean {
      const key = keyOf(asker);
      const used = isDryRun ? dryRuns : store;
      return count === 0 ? !used.isReached(key) : used.count(key, count) === 0;
    },
  };
}

/** How many numbers the suggestions leave out, because somebody has these aliases. */
function skippedNumbers(suggestions: string[]): number {
  const numbered = suggestions.filter((alias) => NUMBERED.test(alias));
  const isNumberedOnly = numbered.length === suggestions.length;
  const last = isNumberedOnly ? Number(suggestions.at(-1)?.at(-1) ?? 1) : NUMBERS + 1;
  return Math.max(0, last - 1 - numbered.length);
}

const EDITOR_ADDRESS_FACTOR = 4;
/** A request that changes something, however little. */
const REQUEST_BYTES = 4096;
/** Hashing a password takes the time of a write of about this size. */
const PASSWORD_BYTES = 256 * 1024;

export type Editor = { account: { id: string }; address: ClientAddress };

export type EditRate = ReturnType<typeof createEditRate>;

/**
 * Limits what accounts write with edits, by its size: an edit writes its whole link, in a folder as in a
 * database. New links have limits of their own.
 *
 * @see docs/settings.md
 */
export function createEditRate(limits: Limits) {
  const store = limits.exchanged('edit');

  /** @throws ServiceError `rate_limited` if the rate was reached before */
  function take({ account, address }: Editor, bytes: number): void {
    const waitMs = store.count(accountKey(account.id, address, EDITOR_ADDRESS_FACTOR), bytes);
    if (waitMs > 0)
      throw rateLimited('Too much was changed in a minute.', Math.ceil(waitMs / 1000));
  }

  return {
    /** Counts a request that changes something. */
    takeRequest: (editor: Editor) => take(editor, REQUEST_BYTES),
    /** Counts a link that is written. */
    takeLink: take,
    takePassword: (editor: Editor) => take(editor, PASSWORD_BYTES),
  };
}

export type GuessedLinks = ReturnType<typeof createGuessedLinks>;

/**
 * Remembers for an hour, on all servers with the data, which links have had as many wrong passwords as they can have
 * from everywhere, so that lists can tell their owners. A restart forgets what memory alone counts.
 */
export function createGuessedLinks(limits: Limits) {
  const store = limits.exchanged('guessed link');
  const keyOf = (linkId: string) => `1*${linkId}`;
  return {
    add(linkId: string): void {
      store.count(keyOf(linkId), 1);
    },

    /** Costs nothing while there is no such link at all. */
    has(linkId: string): boolean {
      return store.hasFull && store.isReached(keyOf(linkId));
    },
  };
}

/** A page takes the time of about so many, however few it shows. */
const PAGE_PERIODS = 100;

export type StatisticsRate = ReturnType<typeof createStatisticsRate>;

/**
 * Limits how much of public statistics a client reads, by the periods that it asks for: anybody can ask, and
 * each period is formatted.
 *
 * @see docs/settings.md
 */
export function createStatisticsRate(limits: Limits) {
  const store = limits.exchanged('statistics');
  return {
    /**
     * Counts the periods of a request.
     *
     * @param toPeriods is not called beyond the limit
     * @throws ServiceError `rate_limited` if the rate was reached before
     */
    take<T extends { starts: readonly number[] }>(address: ClientAddress, toPeriods: () => T): T {
      const key = addressKey(address);
      const waitMs = store.count(key, PAGE_PERIODS);
      if (waitMs > 0) {
        throw rateLimited('Too many statistics were read in a minute.', Math.ceil(waitMs / 1000));
      }
      const periods = toPeriods();
      store.count(key, Math.max(0, periods.starts.length - PAGE_PERIODS));
      return periods;
    },
  };
}
