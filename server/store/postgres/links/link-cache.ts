import { getHeapStatistics } from 'node:v8';
import type { Link } from '../../link.ts';
import { StoreUnavailableError } from '../../store.ts';
import { type ChangeFeed, COHERENT_MS } from '../changes/change-feed.ts';
import type { ChangeNotice } from '../changes/change-notice.ts';
import { withinTime } from '../database/within-time.ts';
import { type Found, LinkMemory } from './link-memory.ts';

/** The part of the heap that links can take: 64 MB with the 512 MB of a small container. */
const HEAP_SHARE = 8;
/** While the database does not answer, what is known is not looked up again for so long. */
const RETRY_MS = 1000;

/** Links by the keys of their aliases, also of previous ones, as far as they were looked up lately. */
export class LinkCache {
  readonly #feed: Pick<ChangeFeed, 'isUpToDate'>;
  readonly #read: (key: string) => Promise<Link | undefined>;
  readonly #links: LinkMemory;
  /** Those under way, which all calls for the alias share. */
  readonly #lookUps = new Map<string, Promise<Link | undefined>>();
  #failedAt = Number.NEGATIVE_INFINITY;
  /** What was looked up before must be looked up again. */
  #outdatedBefore = Number.NEGATIVE_INFINITY;

  /**
   * @param read looks a link up in the database
   * @param maxBytes that links take in memory
   */
  constructor(
    feed: Pick<ChangeFeed, 'isUpToDate'>,
    read: (key: string) => Promise<Link | undefined>,
    maxBytes = getHeapStatistics().heap_size_limit / HEAP_SHARE,
  ) {
    this.#feed = feed;
    this.#read = read;
    this.#links = new LinkMemory(maxBytes);
  }

  /**
   * Looks the link up. If the database cannot be used: the last known one.
   *
   * @throws StoreUnavailableError if the database cannot be used and the link is not known
   */
  async find(key: string): Promise<Link | undefined> {
    const { link } = this.#links.get(key) ?? {};
    if (!link) return this.#lookUp(key);
    if (performance.now() - this.#failedAt < RETRY_MS) return link;
    try {
      // A database that hangs does not make visitors of known links wait.
      return await withinTime(this.#lookUp(key), COHERENT_MS);
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error;
      this.#failedAt = performance.now();
      return link;
    }
  }

  /**
   * The link as it was at most `COHERENT_MS` ago, apart from its hits, if that is known. The same object as
   * long as only its hits change.
   */
  known(key: string): Link | undefined {
    const known = this.#links.get(key);
    return known && this.#isValid(known) ? known.link : undefined;
  }

  /** Removes what may have changed. A look-up that began before does not bring it back. */
  invalidate(notice: ChangeNotice): void {
    if (notice === 'all') {
      // They are kept for the case that the database fails again.
      this.#outdatedBefore = performance.now();
      this.#failedAt = Number.NEGATIVE_INFINITY;
      this.#lookUps.clear();
      return;
    }
    if (notice.deletedAccounts) {
      this.#lookUps.clear();
      this.#links.deleteOf(new Set(notice.deletedAccounts));
    }
    for (const key of [...(notice.aliases ?? []), ...(notice.newAliases ?? [])]) {
      this.#links.delete(key);
      this.#lookUps.delete(key);
    }
  }

  #isValid({ at }: Found): boolean {
    if (at < this.#outdatedBefore) return false;
    // No change is announced while the connection is lost.
    return this.#feed.isUpToDate || performance.now() - at < COHERENT_MS;
  }

  #lookUp(key: string): Promise<Link | undefined> {
    const underWay = this.#lookUps.get(key);
    if (underWay) return underWay;
    const at = performance.now();
    const found = this.#read(key);
    this.#lookUps.set(key, found);
    // Not if the link may have changed meanwhile.
    const isCurrent = () => this.#lookUps.get(key) === found && this.#lookUps.delete(key);
    found.then((link) => {
      if (!isCurrent()) return;
      if (link) this.#links.set(link, at);
      else this.#links.delete(key);
    }, isCurrent);
    return found;
  }
}
