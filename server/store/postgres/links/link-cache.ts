import { isDeepStrictEqual } from 'node:util';
import { LruMap } from 'toad-cache';
import type { Link } from '../../link.ts';
import { StoreUnavailableError } from '../../store.ts';
import { type ChangeFeed, COHERENT_MS } from '../changes/change-feed.ts';
import type { ChangeNotice } from '../changes/change-notice.ts';
import { withinTime } from '../database/within-time.ts';

/** About 1 kB each. */
const LINKS_MAX = 50_000;
/** While the database does not answer, what is known is not looked up again for so long. */
const RETRY_MS = 1000;

/** What a look-up found, and when it began. */
type Found = { link: Link; at: number };

/** Links by the keys of their aliases, also of previous ones, as far as they were looked up lately. */
export class LinkCache {
  readonly #feed: Pick<ChangeFeed, 'isUpToDate'>;
  readonly #read: (key: string) => Promise<Link | undefined>;
  readonly #links = new LruMap<Found>(LINKS_MAX);
  /** Those under way, which all calls for the alias share. */
  readonly #lookUps = new Map<string, Promise<Link | undefined>>();
  #failedAt = Number.NEGATIVE_INFINITY;
  /** What was looked up before must be looked up again. */
  #outdatedBefore = Number.NEGATIVE_INFINITY;

  /** @param read looks a link up in the database */
  constructor(
    feed: Pick<ChangeFeed, 'isUpToDate'>,
    read: (key: string) => Promise<Link | undefined>,
  ) {
    this.#feed = feed;
    this.#read = read;
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
    if (notice.deletedAccounts) this.#deleteOf(new Set(notice.deletedAccounts));
    for (const key of [...(notice.aliases ?? []), ...(notice.newAliases ?? [])]) {
      this.#links.delete(key);
      this.#lookUps.delete(key);
    }
  }

  #deleteOf(accountIds: ReadonlySet<string>): void {
    this.#lookUps.clear();
    for (const key of [...this.#links.keys()]) {
      const { link } = this.#links.get(key) ?? {};
      if (link && accountIds.has(link.accountId)) this.#links.delete(key);
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
      if (link) this.#links.set(key, { link: sameLink(this.#links.get(key)?.link, link), at });
      else this.#links.delete(key);
    }, isCurrent);
    return found;
  }
}

/** The object that is known already, if only hits were counted. */
function sameLink(known: Link | undefined, link: Link): Link {
  if (!known || !isDeepStrictEqual({ ...known, hits: 0 }, { ...link, hits: 0 })) return link;
  known.hits = link.hits;
  return known;
}
