import type { IncomingMessage } from 'node:http';
import { chooseTarget, OWN_TARGET, type VisitFacts } from '../../shared/links/choose-target.ts';
import type { Settings } from '../config.ts';
import type { Clock } from '../lib/clock.ts';
import { newKeyedHash } from '../lib/keyed-hash.ts';
import type { RandomBytes } from '../lib/random-bytes.ts';
import type { Link } from '../store/link.ts';
import { createReadCountry, type ReadCountry } from './country.ts';
import { DailyHash } from './daily-hash.ts';
import { UserAgent } from './user-agent.ts';

type Dependencies = {
  settings: Pick<Settings, 'countryHeader' | 'trustProxy'>;
  clock: Clock;
  randomBytes: RandomBytes;
};

type VisitRequest = Pick<IncomingMessage, 'headers' | 'socket'> & { url?: string | undefined };

/** @param client the client's address @returns the index of a rule, or `OWN_TARGET` */
export type TargetChooser = (link: Link, request: VisitRequest, client: string) => number;

/** Creates the function that decides where a visit goes. It stores nothing and sets no cookie. */
export function createTargetChooser({ settings, clock, randomBytes }: Dependencies): TargetChooser {
  const readCountry = createReadCountry(settings.countryHeader, settings.trustProxy);
  const visitors = new DailyHash(randomBytes);
  const hash = newKeyedHash();

  return (link, request, client) => {
    if (link.rules.length === 0) return OWN_TARGET;
    return chooseTarget(link.rules, new RequestFacts(request, clock(), readCountry, percentileOf));

    function percentileOf(time: number): number {
      const visitor = visitors.of(client, UserAgent.of(request.headers['user-agent']).hash, time);
      // Who comes first in one link must not come first in all.
      return (hash(`${visitor} ${link.id}`) >>> 0) % 100;
    }
  };
}

/** Works out each fact when a rule asks for it first. */
class RequestFacts implements VisitFacts {
  readonly #request: VisitRequest;
  readonly #now: number;
  readonly #readCountry: ReadCountry;
  readonly #percentileOf: (time: number) => number;
  #time: string | undefined;
  #query: URLSearchParams | undefined;
  #percentile: number | undefined;

  constructor(
    request: VisitRequest,
    now: number,
    readCountry: ReadCountry,
    percentileOf: (time: number) => number,
  ) {
    this.#request = request;
    this.#now = now;
    this.#readCountry = readCountry;
    this.#percentileOf = percentileOf;
  }

  get time() {
    this.#time ??= new Date(this.#now).toISOString();
    return this.#time;
  }

  get families() {
    return UserAgent.of(this.#request.headers['user-agent']).families;
  }

  get acceptLanguage() {
    return this.#request.headers['accept-language'];
  }

  get country() {
    return this.#readCountry(this.#request);
  }

  get query() {
    const { url = '' } = this.#request;
    const start = url.indexOf('?');
    this.#query ??= new URLSearchParams(start === -1 ? '' : url.slice(start));
    return this.#query;
  }

  get percentile() {
    this.#percentile ??= this.#percentileOf(this.#now);
    return this.#percentile;
  }
}
