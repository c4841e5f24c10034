import { hash } from 'node:crypto';
import { chooseTarget, OWN_TARGET, type VisitFacts } from '../../shared/links/choose-target.ts';
import type { Settings } from '../config.ts';
import type { RandomBytes } from '../lib/random-bytes.ts';
import type { Clock } from '../lib/time.ts';
import type { Link } from '../store/link.ts';
import type { Store } from '../store/store.ts';
import { LinkGoneError } from './link-finder.ts';
import { UserAgent, type VisitClass } from './user-agent.ts';
import {
  classifyVisit,
  createReadCountry,
  forwardedQuery,
  type ReadCountry,
  type Visit,
  withQuery,
} from './visit.ts';
import type { VisitRecorder } from './visit-recorder.ts';
import { DailyHash, newKeyedHash } from './visitor-hash.ts';

/** Twenty rules fit into the statistics of a day, beside everything else. */
const NAME_MAX_CHARACTERS = 200;

export function targetUrlOf({ targetUrl, rules }: Link, target: number): string {
  return rules[target]?.originalUrl ?? targetUrl;
}

/**
 * Names a target in the statistics: by its URL, so that people stay counted for it when rules are edited or
 * reordered. Long ones are shortened, and stay different. Undefined if the link has no rules.
 */
export function nameTarget({ rules }: Link, url: string): string | undefined {
  if (rules.length === 0) return undefined;
  if (url.length <= NAME_MAX_CHARACTERS) return url;
  const end = `...${hash('sha256', url).slice(0, 8)}`;
  return url.slice(0, NAME_MAX_CHARACTERS - end.length) + end;
}

/** Returns the names of all targets of a link with rules, each once; none without rules. */
export function targetNames(link: Link): string[] {
  const targets = [...link.rules.keys(), OWN_TARGET].map((target) => targetUrlOf(link, target));
  return [...new Set(targets.flatMap((url) => nameTarget(link, url) ?? []))];
}

type Dependencies = {
  settings: Pick<Settings, 'countryHeader' | 'trustProxy'>;
  clock: Clock;
  randomBytes: RandomBytes;
};

/** Returns the index of a rule, or `OWN_TARGET`. */
export type TargetChooser = (link: Link, visit: Visit) => number;

/** Creates the function that decides where a visit goes. It stores nothing and sets no cookie. */
export function createTargetChooser({ settings, clock, randomBytes }: Dependencies): TargetChooser {
  const readCountry = createReadCountry(settings.countryHeader, settings.trustProxy);
  const visitors = new DailyHash(randomBytes);
  const hash = newKeyedHash();

  return (link, visit) => {
    if (link.rules.length === 0) return OWN_TARGET;
    return chooseTarget(link.rules, new FactsOfVisit(visit, clock(), readCountry, percentileOf));

    function percentileOf(time: number): number {
      const { address, headers } = visit;
      const visitor = visitors.of(address.client, UserAgent.of(headers['user-agent']).hash, time);
      // Who comes first in one link must not come first in all.
      return (hash(`${visitor} ${link.id}`) >>> 0) % 100;
    }
  };
}

/** Works out each fact when a rule asks for it first. */
class FactsOfVisit implements VisitFacts {
  readonly #visit: Visit;
  readonly #now: number;
  readonly #readCountry: ReadCountry;
  readonly #percentileOf: (time: number) => number;
  #time: string | undefined;
  #query: URLSearchParams | undefined;
  #percentile: number | undefined;

  constructor(
    visit: Visit,
    now: number,
    readCountry: ReadCountry,
    percentileOf: (time: number) => number,
  ) {
    this.#visit = visit;
    this.#now = now;
    this.#readCountry = readCountry;
    this.#percentileOf = percentileOf;
  }

  get time() {
    this.#time ??= new Date(this.#now).toISOString();
    return this.#time;
  }

  get families() {
    return UserAgent.of(this.#visit.headers['user-agent']).families;
  }

  get acceptLanguage() {
    return this.#visit.headers['accept-language'];
  }

  get country() {
    return this.#readCountry(this.#visit);
  }

  get query() {
    const { url } = this.#visit;
    const start = url.indexOf('?');
    this.#query ??= new URLSearchParams(start === -1 ? '' : url.slice(start));
    return this.#query;
  }

  get percentile() {
    this.#percentile ??= this.#percentileOf(this.#now);
    return this.#percentile;
  }
}

export type RedirectDependencies = {
  store: Store;
  chooseTarget: TargetChooser;
  /** Undefined if statistics are off. */
  visits: Pick<VisitRecorder, 'record'> | undefined;
  traffic: { countRedirect(visitClass: VisitClass): void; visits: Record<VisitClass, number> };
};

/**
 * Whether a visit is told where the link leads. Only people use up `maxVisits`, so if others were told, too, whoever
 * sends the user agent of a bot could read the destination as often as they like.
 */
export function maySeeTarget(visit: Visit, { maxVisits }: Link): boolean {
  return maxVisits === null || classifyVisit(visit) === 'people';
}

/**
 * Returns where a visitor is redirected to, who is counted: the target of the first rule that matches, or the
 * link's own. Not for visits that may not see the target.
 *
 * @returns a promise only if the store has to count the visit
 * @throws ServiceError `link_gone` if a concurrent visit used the link up
 * @see docs/api.md, "Visit a short link"
 */
export function redirectTarget(
  visit: Visit,
  link: Link,
  dependencies: RedirectDependencies,
): string | Promise<string> {
  const { store } = dependencies;
  const visitClass = classifyVisit(visit);
  if (visitClass === 'people') {
    if (link.maxVisits !== null) {
      return store.takeVisit(link.id).then((isTaken) => {
        if (!isTaken) throw new LinkGoneError(link, 'used_up');
        return recordRedirect(visit, link, visitClass, dependencies);
      });
    }
    store.countHit(link.id);
  }
  return recordRedirect(visit, link, visitClass, dependencies);
}

function recordRedirect(
  visit: Visit,
  link: Link,
  visitClass: VisitClass,
  { chooseTarget, visits, traffic }: RedirectDependencies,
): string {
  const target = targetUrlOf(link, chooseTarget(link, visit));
  visits?.record(link.id, visitClass, visit, nameTarget(link, target));
  traffic.countRedirect(visitClass);
  return withQuery(target, forwardedQuery(link, visit.url));
}

/** Records a bot or a preview that gets a page and not the target. People count once they are sent on. */
export function recordPageView(
  visit: Visit,
  link: Link,
  { visits, traffic }: Pick<RedirectDependencies, 'visits' | 'traffic'>,
): void {
  const visitClass = classifyVisit(visit);
  if (visitClass === 'people') return;
  visits?.record(link.id, visitClass, visit);
  traffic.visits[visitClass]++;
}
