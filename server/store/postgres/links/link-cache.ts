import { isDeepStrictEqual } from 'node:util';
import { getHeapStatistics } from 'node:v8';
import { LRUCache } from 'lru-cache';
import { sleep, systemTime, type Time } from '../../../../shared/time.ts';
import { type Link, linkBytes } from '../../link.ts';
import { StoreUnavailableError } from '../../store.ts';
import { type ChangedFacts, CURRENT_MS } from '../changes/change-transactions.ts';

/** How long visitors wait for a database that hangs, if there is something else to show them. */
export const WAIT_MS = 1000;
/** The part of the heap that links can take: 64 MB with the 512 MB of a small container. */
const HEAP_SHARE = 8;
/** What an object takes in memory, with its alias, besides the texts of the link. */
const OBJECT_BYTES = 300;
/** While the database does not answer, what is known is not looked up again for so long. */
const RETRY_MS = 1000;

/** A link, and when its look-up began. */
type Found = { link: Link; at: number };

/** Links by the keys of the aliases by which they were looked up lately. */
export class LinkCache {
  readonly #read: (key: string) => Promise<Link | undefined>;
  readonly #links: LRUCache<string, Found>;
  /** Look-ups that are under way, by alias. All calls for the alias share one. */
  readonly #lookUps = new Map<string, Promise<Link | undefined>>();
  readonly #time: Time;
  #failedAt = Number.NEGATIVE_INFINITY;

  /**
   * @param read looks a link up in the database
   * @param options.maxBytes that links take in memory
   */
  constructor(
    read: (key: string) => Promise<Link | undefined>,
    {
      maxBytes = getHeapStatistics().heap_size_limit / HEAP_SHARE,
      time = systemTime,
    }: { maxBytes?: number; time?: Time } = {},
  ) {
    this.#read = read;
    this.#time = time;
    this.#links = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: ({ link }) => OBJECT_BYTES + linkBytes(link),
    });
  }

  /**
   * Looks the link up. If the database cannot be used: the last known one.
   *
   * @throws StoreUnavailableError if the database cannot be used and the link is not known
   */
  async find(key: string): Promise<Link | undefined> {
    const { link } = this.#links.get(key) ?? {};
    if (!link) return this.#lookUp(key);
    if (this.#time.monotonic() - this.#failedAt < RETRY_MS) return link;
    try {
      // A database that hangs does not make visitors of known links wait.
      return await withinTime(this.#lookUp(key), WAIT_MS, this.#time);
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error;
      this.#failedAt = this.#time.monotonic();
      return link;
    }
  }

  /**
   * The link as it was at most `CURRENT_MS` ago, apart from its hits, if that is known. The same object as
   * long as only its hits change.
   */
  known(key: string): Link | undefined {
    const known = this.#links.get(key);
    return known && this.#time.monotonic() - known.at < CURRENT_MS ? known.link : undefined;
  }

  /** Forgets what may have changed. A look-up that began before does not bring it back. */
  forget({ aliases, deletedAccounts }: Pick<ChangedFacts, 'aliases' | 'deletedAccounts'>): void {
    if (deletedAccounts.length > 0) {
      this.#lookUps.clear();
      for (const [key, { link }] of [...this.#links.entries()]) {
        if (deletedAccounts.includes(link.accountId)) this.#links.delete(key);
      }
    }
    for (const key of aliases) {
      this.#links.delete(key);
      this.#lookUps.delete(key);
    }
  }

  #lookUp(key: string): Promise<Link | undefined> {
    const underWay = this.#lookUps.get(key);
    if (underWay) return underWay;
    const at = this.#time.monotonic();
    const found = this.#read(key);
    this.#lookUps.set(key, found);
    // Not if the link may have changed meanwhile.
    const isCurrent = () => this.#lookUps.get(key) === found && this.#lookUps.delete(key);
    found.then((link) => {
      if (!isCurrent()) return;
      if (link) this.#remember(key, link, at);
      else this.#links.delete(key);
    }, isCurrent);
    return found;
  }

  #remember(key: string, link: Link, at: number): void {
    const known = this.#links.get(key);
    if (known && isSame(known.link, link)) {
      known.link.hits = link.hits;
      known.at = at;
    } else {
      this.#links.set(key, { link, at });
    }
  }
}

/**
 * Waits for an answer of a database, but not for one that hangs.
 *
 * @throws StoreUnavailableError after the time
 */
export async function withinTime<T>(
  answer: Promise<T>,
  ms: number,
  time: Time = systemTime,
): Promise<T> {
  const failAfter = async () => {
    await sleep(time, ms);
    throw new StoreUnavailableError('it is too slow');
  };
  return Promise.race([answer, failAfter()]);
}

/** Whether only their hits may differ. */
function isSame(known: Link, link: Link): boolean {
  return isDeepStrictEqual({ ...known, hits: 0 }, { ...link, hits: 0 });
}
