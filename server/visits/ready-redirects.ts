import { OWN_TARGET } from '../../shared/links/choose-target.ts';
import type { BlockList } from '../blocks/block-list.ts';
import type { Settings } from '../config.ts';
import type { Clock } from '../lib/clock.ts';
import { hasTarget } from '../store/has-target.ts';
import type { Link } from '../store/link.ts';
import { linkStatus } from '../store/link-status.ts';
import type { Store } from '../store/store.ts';
import { nameTarget, targetUrlOf } from './choose-target.ts';
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
  targetName: string;
  /** Those of its rules, by their index. */
  ofRules: ReadyRedirect[];
};

/**
 * Redirects that need neither a page nor a look at the database, each belonging to a link as it is. A link
 * that changes is another object, so no redirect is ever invalidated, and an edit costs other links nothing.
 */
export class ReadyRedirects {
  readonly #dependencies: Dependencies;
  readonly #redirects = new Map<Link, ReadyRedirect>();
  /** With those of rules. */
  #count = 0;

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
      !hasTarget(link, isLong) &&
      !needsPreview(link, this.#dependencies) &&
      linkStatus(link, clock(), blocks) === 'active';
    return isPlain ? link : undefined;
  }

  /**
   * @param link as `find` has returned it
   * @param target the index of a rule. @default the link's own target
   */
  get(link: Link, target = OWN_TARGET): ReadyRedirect {
    let own = this.#redirects.get(link);
    if (!own) {
      own = newRedirect(link, OWN_TARGET, new VisitedLink(link.id));
      this.#redirects.set(link, own);
      this.#countOne();
    }
    if (target === OWN_TARGET) return own;
    let redirect = own.ofRules[target];
    if (!redirect) {
      redirect = newRedirect(link, target, own.visited);
      own.ofRules[target] = redirect;
      this.#countOne();
    }
    return redirect;
  }

  #countOne(): void {
    if (++this.#count <= READY_MAX) return;
    for (const [link, { ofRules }] of this.#redirects) {
      this.#redirects.delete(link);
      // Rules that nobody has met yet have none.
      this.#count -= 1 + Object.keys(ofRules).length;
      return;
    }
  }
}

function newRedirect(link: Link, target: number, visited: VisitedLink): ReadyRedirect {
  const location = targetUrlOf(link, target);
  const headers = [
    ...Object.entries(REDIRECT_HEADERS).flat(),
    ...['location', location],
    ...['content-length', '0'],
  ];
  return { headers, visited, targetName: nameTarget(link, location), ofRules: [] };
}

function isLong(url: string): boolean {
  return url.length > TARGET_MAX_CHARACTERS;
}
