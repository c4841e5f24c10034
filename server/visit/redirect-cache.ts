import { FifoMap } from 'toad-cache';
import type { Link, Store } from '../store/store.ts';
import { REDIRECT_HEADERS } from './send-to-target.ts';

/**
 * Of about 500 bytes each with a usual target. The oldest goes first, asked for or not: to note
 * each use would take longer than to make a busy one again, once in 20,000.
 */
const MAX_REDIRECTS = 20_000;
/** Few targets are longer, and they could fill the memory. */
const MAX_TARGET_CHARACTERS = 1000;

/** The answer to a visit of a plain link, ready to be sent. */
export type ReadyRedirect = {
  /** Names and values in turn, as `writeHead` takes them; in the order in which Fastify sends them. */
  headers: string[];
  /** Milliseconds since the epoch; infinite for a link that stays. */
  expiresAt: number;
  countHit: () => void;
};

/**
 * The redirects of links that were visited of late, by the path that was asked for: with them, a
 * visit reads no record. An edit of any link empties it, and so shows at the very next visit.
 */
export class RedirectCache {
  readonly #store: Store;
  readonly #redirects = new FifoMap<ReadyRedirect>(MAX_REDIRECTS);
  #changeCount: number;

  constructor(store: Store) {
    this.#store = store;
    this.#changeCount = store.changeCount;
  }

  /** @param path of the request target, without its query */
  get(path: string): ReadyRedirect | undefined {
    this.#dropOutdated();
    return this.#redirects.get(path);
  }

  /**
   * @param alias as the visitor wrote it: each spelling has an entry of its own
   * @param link one that works now, and leads straight to its target
   * @param changeCount the store's, from before the link was looked up
   */
  add(alias: string, link: Link, changeCount: number): void {
    this.#dropOutdated();
    if (changeCount !== this.#changeCount) return;
    if (link.targetUrl.length > MAX_TARGET_CHARACTERS) return;
    this.#redirects.set(`/${alias}`, {
      headers: [
        ...Object.entries(REDIRECT_HEADERS).flat(),
        ...['location', link.targetUrl],
        ...['content-length', '0'],
      ],
      expiresAt: link.expiresAt ?? Number.POSITIVE_INFINITY,
      countHit: this.#store.hitCounter(link.id),
    });
  }

  #dropOutdated(): void {
    const { changeCount } = this.#store;
    if (changeCount === this.#changeCount) return;
    this.#changeCount = changeCount;
    this.#redirects.clear();
  }
}
