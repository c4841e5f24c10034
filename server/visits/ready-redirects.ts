import type { BlockList } from '../blocks/block-list.ts';
import type { Settings } from '../config.ts';
import type { Clock } from '../lib/clock.ts';
import type { Link } from '../store/link.ts';
import { linkStatus } from '../store/link-status.ts';
import type { Store } from '../store/store.ts';
import { needsPreview } from './needs-preview.ts';
import { REDIRECT_HEADERS } from './send-to-target.ts';
import { VisitedLink } from './visited-link.ts';

type Dependencies = {
  settings: Pick<Settings, 'customGtm'>;
  store: Pick<Store, 'knownLink'>;
  clock: Clock;
  blocks: Pick<BlockList, 'isBlocked'>;
};

/** About 500 bytes each with a typical target. Beyond, the oldest one is dropped, even if it is in use. */
const READY_MAX = 20_000;
/** Few targets are longer, and they could fill the memory. */
const TARGET_MAX_CHARACTERS = 1000;

/** The response to a visit of a plain link, ready to be sent. */
export type ReadyRedirect = {
  /** Alternating names and values, as `writeHead` takes them, in the order in which Fastify sends them. */
  headers: string[];
  /** For the statistics. */
  visited: VisitedLink;
};

/**
 * Redirects that need neither a page nor a look at the database, each belonging to a link as it is. A link
 * that changes is another object, so no redirect is ever invalidated, and an edit costs other links nothing.
 */
export class ReadyRedirects {
  readonly #dependencies: Dependencies;
  readonly #redirects = new Map<Link, ReadyRedirect>();

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * The link with this alias, if a visit of it now is a redirect and nothing else. Not if its visits are
   * limited: the store decides on each of them.
   */
  find(alias: string): Link | undefined {
    const { store, clock, blocks } = this.#dependencies;
    const link = store.knownLink(alias);
    const isPlain =
      link !== undefined &&
      link.passwordHash === null &&
      link.maxVisits === null &&
      link.targetUrl.length <= TARGET_MAX_CHARACTERS &&
      !needsPreview(link, this.#dependencies) &&
      linkStatus(link, clock(), blocks) === 'active';
    return isPlain ? link : undefined;
  }

  /** @param link as `find` has returned it */
  get(link: Link): ReadyRedirect {
    let redirect = this.#redirects.get(link);
    if (!redirect) {
      redirect = {
        headers: [
          ...Object.entries(REDIRECT_HEADERS).flat(),
          ...['location', link.targetUrl],
          ...['content-length', '0'],
        ],
        visited: new VisitedLink(link.id),
      };
      this.#redirects.set(link, redirect);
      if (this.#redirects.size > READY_MAX) this.#dropOldest();
    }
    return redirect;
  }

  #dropOldest(): void {
    for (const link of this.#redirects.keys()) {
      this.#redirects.delete(link);
      return;
    }
  }
}
