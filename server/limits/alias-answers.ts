import { HOUR_MS } from '../lib/durations.ts';
import { ServiceError } from '../lib/service-error.ts';
import type { ClientAddress } from './client-ip.ts';
import { addressKey } from './limit-key.ts';
import type { LimitStores } from './limit-stores.ts';

/** Several accounts can share an address. */
const ADDRESS_FACTOR = 10;
/** Suggestions end with these before they end with random characters. */
const NUMBERED = /-[2-5]$/;
const NUMBERS = 4;

export type Asker = { account: { id: string } | undefined; address: ClientAddress };

export type AliasAnswers = ReturnType<typeof createAliasAnswers>;

/**
 * Limits how often a client is told whether others have an alias: otherwise, it could look for secret links in
 * words by the thousand, which visits do not allow. In an hour, it is told as often as it can visit unknown
 * aliases in a minute: nobody tries more to find a free one.
 *
 * @see docs/settings.md
 */
export function createAliasAnswers(
  stores: LimitStores,
  { unknownPerMinute: max }: { unknownPerMinute: number },
) {
  // Of an account, or an address without one.
  const store = stores.exchanged({ name: 'alias answer', max, windowMs: HOUR_MS });
  // By themselves, because a dry run is usually followed by the import.
  const dryRuns = stores.exchanged({ name: 'dry alias answer', max, windowMs: HOUR_MS });
  const keyOf = ({ account, address }: Asker) => {
    const wide = addressKey(address, { factor: ADDRESS_FACTOR });
    return `${wide} ${account ? `1*${account.id}` : addressKey(address)}`;
  };
  /** @returns 0, or the milliseconds until the next answer */
  const reserve = (key: string): number => {
    let waitMs = 0;
    // In memory, so it is called at once.
    store.incr(key, (_error, state) => {
      if (state && state.current > max) waitMs = state.ttl;
    });
    return waitMs;
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
      const waitMs = reserve(key);
      if (waitMs > 0) throw tooManyTaken(Math.ceil(waitMs / 1000));
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

function tooManyTaken(retryAfterSeconds: number): ServiceError {
  return new ServiceError(
    'rate_limited',
    `Too many aliases that somebody has were asked for. Leave the alias out, or try again in ${retryAfterSeconds} seconds.`,
    { retryAfterSeconds },
  );
}
