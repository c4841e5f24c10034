import { Places } from '../../lib/places.ts';
import { busy } from '../../lib/service-error.ts';

/** Lists and searches of one account at a time, so that it leaves time and connections to others. */
const LISTS_OF_ACCOUNT = 2;
/** How many more may wait for them, and how long. */
const WAITING_MAX = 50;
const WAIT_MS = 2000;

/** The places in which the lists of each account are read. */
export class ListPlaces {
  readonly #ofAccounts = new Map<string, { places: Places; lists: number }>();

  /**
   * Reads a list in a place of its account.
   *
   * @param waits whether it waits however long others take, because a part of it was sent already. @default false
   * @throws ServiceError `busy` if too many others of the account wait, or if they take too long
   */
  async use<T>(accountId: string, list: () => Promise<T>, waits = false): Promise<T> {
    const own = this.#ofAccounts.get(accountId) ?? {
      places: new Places(LISTS_OF_ACCOUNT),
      lists: 0,
    };
    if (own.lists >= LISTS_OF_ACCOUNT + WAITING_MAX && !waits) throw listsBusy();
    this.#ofAccounts.set(accountId, own);
    own.lists++;
    try {
      return await own.places.use(waits ? undefined : WAIT_MS, list, () => {
        throw listsBusy();
      });
    } finally {
      own.lists--;
      if (own.lists === 0) this.#ofAccounts.delete(accountId);
    }
  }
}

function listsBusy(): Error {
  return busy('Other lists of this account are being read. Try again shortly.');
}
