import type { IncomingMessage } from 'node:http';
import type { Settings } from '../config.ts';
import type { Clock } from '../lib/clock.ts';
import { newKeyedHash } from '../lib/keyed-hash.ts';
import type { RandomBytes } from '../lib/random-bytes.ts';
import type { Link } from '../store/link.ts';
import { chooseTarget, OWN_TARGET, type VisitFacts } from './choose-target.ts';
import { createReadCountry } from './country.ts';
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
    const { headers, url = '' } = request;
    const facts: VisitFacts = {
      get time() {
        return new Date(clock()).toISOString();
      },
      get families() {
        return UserAgent.of(headers['user-agent']).families;
      },
      acceptLanguage: headers['accept-language'],
      get country() {
        return readCountry(request);
      },
      get query() {
        const start = url.indexOf('?');
        return new URLSearchParams(start === -1 ? '' : url.slice(start));
      },
      get percentile() {
        const visitor = visitors.of(client, UserAgent.of(headers['user-agent']).hash, clock());
        // Who comes first in one link must not come first in all.
        return (hash(`${visitor} ${link.id}`) >>> 0) % 100;
      },
    };
    return chooseTarget(link.rules, facts);
  };
}
