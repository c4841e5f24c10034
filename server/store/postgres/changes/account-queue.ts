import { StoreUnavailableError } from '../../store.ts';

/** The longest time that a call waits for its turn. */
const WAIT_MS = 5000;

/**
 * Runs the changes of each account one after the other, in the order of the calls. Otherwise, those of one
 * busy account would wait for its lock in the database, and keep all connections. Changes by other servers
 * are kept out by that lock.
 */
export class AccountQueue {
  readonly #last = new Map<string, Promise<unknown>>();

  /** @param accountIds all accounts that the change locks */
  run<T>(accountIds: string | readonly string[], change: () => Promise<T>): Promise<T> {
    const ids = [accountIds].flat();
    const earlier = ids.map((id) => this.#last.get(id)).filter((each) => each !== undefined);
    const result = earlier.length === 0 ? change() : this.#after(earlier, change);
    const settled = result.then(ignore, ignore).then(() => {
      for (const id of ids) if (this.#last.get(id) === settled) this.#last.delete(id);
    });
    for (const id of ids) this.#last.set(id, settled);
    return result;
  }

  /** Changes with the same value wait for the same ones; undefined if none is under way. */
  last(accountId: string): Promise<unknown> | undefined {
    return this.#last.get(accountId);
  }

  async #after<T>(earlier: Promise<unknown>[], change: () => Promise<T>): Promise<T> {
    const start = performance.now();
    await Promise.all(earlier);
    if (performance.now() - start > WAIT_MS) {
      throw new StoreUnavailableError('The database is too slow: the call waited for too long.');
    }
    return change();
  }
}

function ignore(): void {}
