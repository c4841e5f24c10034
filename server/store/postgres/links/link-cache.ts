import { isDeepStrictEqual } from 'node:util';
import { LruMap } from 'toad-cache';
import type { Link } from '../../link.ts';
import { StoreUnavailableError } from '../../store.ts';
import { type ChangeFeed, COHERENT_MS } from '../changes/change-feed.ts';
import type { ChangeNotice } from '../changes/change-notice.ts';
import { withinTime } from '../database/within-time.ts';

/** About 1 kB each. */
const LINKS_MAX = 50_000;
/** Few, so that whoever guesses aliases does not need all the memory. */
const UNKNOWN_MAX = 5000;
/** New links are not announced. With the next look-up, they are found within `COHERENT_MS`. */
const UNKNOWN_MS = 500;
/** Hits on other servers are not announced. A link that is older is returned, and read again meanwhile. */
const REFRESH_MS = 5000;
/** While the database does not answer, what is known is not looked up again for so long. */
const RETRY_MS = 1000;

/** What a look-up found, and when it began. */
type Found = { link: Link; at: number };

/** A look-up under way, which all calls for the alias share. */
type LookUp = { found: Promise<Link | undefined>; isOutdated: boolean };

/** Links by the keys of their aliases, also of previous ones, as far as they were looked up lately. */
export class LinkCache {
  readonly #feed: Pick<ChangeFeed, 'isUpToDate'>;
  readonly #read: (key: string) => Promise<Link | undefined>;
  readonly #onError: (error: unknown) => void;
  readonly #links = new LruMap<Found>(LINKS_MAX);
  /** When somebody looked for an alias that nobody has. */
  readonly #unknown = new LruMap<number>(UNKNOWN_MAX);
  readonly #lookUps = new Map<string, LookUp>();
  #failedAt = Number.NEGATIVE_INFINITY;
  /** What was looked up before must be looked up again. */
  #outdatedBefore = Number.NEGATIVE_INFINITY;

  /**
   * @param read looks a link up in the database
   * @param onError called with errors of links that are read again in the background
   */
  constructor(
    feed: Pick<ChangeFeed, 'isUpToDate'>,
    read: (key: string) => Promise<Link | undefined>,
    onError: (error: unknown) => void,
  ) {
    this.#feed = feed;
    this.#read = read;
    this.#onError = onError;
  }

  /**
   * The link as it was at most `COHERENT_MS` ago, apart from its hits. If the database cannot be used: the
   * last known one.
   *
   * @throws StoreUnavailableError if the database cannot be used and the link is not known
   */
  async find(key: string): Promise<Link | undefined> {
    const known = this.#links.get(key);
    if (!known) return this.#isUnknown(key) ? undefined : this.#lookUp(key);
    if (performance.now() - this.#failedAt < RETRY_MS) return known.link;
    if (!this.#isValid(known)) {
      // A database that hangs does not make visitors of known links wait.
      return withinTime(this.#lookUp(key), COHERENT_MS).catch((error: unknown) => {
        if (!this.#isFailing(error)) throw error;
        return known.link;
      });
    }
    this.#refresh(key, known);
    return known.link;
  }

  /** The link if it can be returned at once. The same object as long as only its hits change. */
  known(key: string): Link | undefined {
    const known = this.#links.get(key);
    if (!known || !this.#isValid(known)) return undefined;
    this.#refresh(key, known);
    return known.link;
  }

  /** Removes what may have changed. A look-up that began before does not bring it back. */
  invalidate(notice: ChangeNotice): void {
    if (notice === 'all' || notice.deletedAccounts) {
      // The others are kept for the case that the database fails again.
      if (notice !== 'all') this.#deleteOf(new Set(notice.deletedAccounts));
      this.#outdatedBefore = performance.now();
      this.#failedAt = Number.NEGATIVE_INFINITY;
      this.#unknown.clear();
      for (const lookUp of this.#lookUps.values()) lookUp.isOutdated = true;
      this.#lookUps.clear();
      return;
    }
    for (const key of [...(notice.aliases ?? []), ...(notice.newAliases ?? [])]) {
      this.#links.delete(key);
      this.#unknown.delete(key);
      const lookUp = this.#lookUps.get(key);
      if (!lookUp) continue;
      lookUp.isOutdated = true;
      this.#lookUps.delete(key);
    }
  }

  #deleteOf(accountIds: ReadonlySet<string>): void {
    for (const key of [...this.#links.keys()]) {
      const { link } = this.#links.get(key) ?? {};
      if (link && accountIds.has(link.accountId)) this.#links.delete(key);
    }
  }

  #refresh(key: string, { at }: Found): void {
    if (performance.now() - at <= REFRESH_MS) return;
    this.#lookUp(key).catch((error: unknown) => {
      if (!this.#isFailing(error)) this.#onError(error);
    });
  }

  #isValid({ at }: Found): boolean {
    if (at < this.#outdatedBefore) return false;
    // No change is announced while the connection is lost.
    return this.#feed.isUpToDate || isRecent(at);
  }

  /** Whether the error says that the database cannot be used. */
  #isFailing(error: unknown): boolean {
    if (!(error instanceof StoreUnavailableError)) return false;
    this.#failedAt = performance.now();
    return true;
  }

  #isUnknown(key: string): boolean {
    const at = this.#unknown.get(key);
    return at !== undefined && performance.now() - at < UNKNOWN_MS;
  }

  #lookUp(key: string): Promise<Link | undefined> {
    const underWay = this.#lookUps.get(key);
    if (underWay) return underWay.found;
    const at = performance.now();
    const lookUp: LookUp = { found: this.#read(key), isOutdated: false };
    this.#lookUps.set(key, lookUp);
    const settle = () => {
      if (this.#lookUps.get(key) === lookUp) this.#lookUps.delete(key);
    };
    lookUp.found.then((link) => {
      settle();
      if (lookUp.isOutdated) return;
      if (link) this.#links.set(key, { link: sameLink(this.#links.get(key)?.link, link), at });
      else this.#remember(key, at);
    }, settle);
    return lookUp.found;
  }

  #remember(key: string, at: number): void {
    this.#links.delete(key);
    this.#unknown.set(key, at);
  }
}

function isRecent(at: number): boolean {
  return performance.now() - at < COHERENT_MS;
}

/** The object that is known already, if only hits were counted. */
function sameLink(known: Link | undefined, link: Link): Link {
  if (!known || !isDeepStrictEqual({ ...known, hits: 0 }, { ...link, hits: 0 })) return link;
  known.hits = link.hits;
  return known;
}
