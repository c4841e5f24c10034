import { FifoMap } from 'toad-cache';
import type { BlockList } from '../blocks/block-list.ts';
import { VisitedLink } from '../statistics/visited-link.ts';
import type { Link } from '../store/link.ts';
import type { Store } from '../store/store.ts';
import { REDIRECT_HEADERS } from './send-to-target.ts';

/**
 * About 500 bytes each with a typical target. The oldest entry is evicted first, even if it is in
 * use: recording every use would cost more than creating a busy entry again once in 20,000.
 */
const MAX_REDIRECTS = 20_000;
/** Few targets are longer, and they could fill the memory. */
const MAX_TARGET_CHARACTERS = 1000;

/** The response to a visit of a plain link, ready to be sent. */
export type ReadyRedirect = {
  /** Alternating names and values, as `writeHead` takes them, in the order in which Fastify sends them. */
  headers: string[];
  /** Milliseconds since the epoch; null for a link that never expires. */
  expiresAt: number | null;
  /** Whether the response to a visit with a query has another target. */
  forwardsQuery: boolean;
  /** For the statistics. */
  visited: VisitedLink;
  countHit: () => void;
};

/**
 * Redirects of recently visited links by request path, so that a visit reads no record. An edit of
 * any link and a change of any block clear the cache, and so take effect on the very next visit.
 */
export class RedirectCache {
  readonly #store: Store;
  readonly #redirects = new FifoMap<ReadyRedirect>(MAX_REDIRECTS);
  readonly #blocks: Pick<BlockList, 'changeCount'>;
  #changeCount: number;

  constructor(store: Store, blocks: Pick<BlockList, 'changeCount'>) {
    this.#store = store;
    this.#blocks = blocks;
    this.#changeCount = blocks.changeCount;
  }

  /** To be read before a link is looked up. */
  get changeCount(): number {
    return this.#blocks.changeCount;
  }

  /** @param path of the request target, without its query */
  get(path: string): ReadyRedirect | undefined {
    this.#dropOutdated();
    return this.#redirects.get(path);
  }

  /**
   * @param alias as in the request: each spelling has its own entry
   * @param link an active link that redirects without a page in between; not added if its visits are
   * limited, because the store decides on each of them
   * @param changeCount of this cache, read before the link was looked up
   */
  add(alias: string, link: Link, changeCount: number): void {
    this.#dropOutdated();
    if (changeCount !== this.#changeCount) return;
    if (link.maxVisits !== null || link.targetUrl.length > MAX_TARGET_CHARACTERS) return;
    this.#redirects.set(`/${alias}`, {
      headers: [
        ...Object.entries(REDIRECT_HEADERS).flat(),
        ...['location', link.targetUrl],
        ...['content-length', '0'],
      ],
      expiresAt: link.expiresAt,
      forwardsQuery: link.forwardQuery,
      visited: new VisitedLink(link.id),
      countHit: this.#store.hitCounter(link.id),
    });
  }

  #dropOutdated(): void {
    const { changeCount } = this.#blocks;
    if (changeCount === this.#changeCount) return;
    this.#changeCount = changeCount;
    this.#redirects.clear();
  }
}
