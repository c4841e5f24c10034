import { LruMap } from 'toad-cache';
import type { Time } from '../../shared/time.ts';
import { normalizeHost } from '../lib/host-name.ts';
import { HOUR_MS, hourNumber } from '../lib/time.ts';
import { type Store, StoreUnavailableError } from '../store/store.ts';
import { addTo, OTHER, type Tallies, tallyKey, type VisitsOfHour } from '../store/visits.ts';
import { UserAgent, type VisitClass } from './user-agent.ts';
import { createReadCountry, type ReadCountry, type Visit } from './visit.ts';
import { newKeyedHash, UniquePeople } from './visitor-hash.ts';

/** How long visits are added up. Less than a second: that is what a crash may lose. */
const STORE_VISITS_MS = 900;
/** How many links one call of the store has, which applies them at once. */
const LINKS_A_CALL = 1000;
const UNKNOWN_COUNTRY = 'unknown';

type Options = {
  store: Pick<Store, 'addVisits'>;
  /** In lower case. */
  countryHeader: string | undefined;
  trustProxy: string[];
  time: Time;
  randomBytes: (size: number) => Buffer;
  /**
   * Called if visits could not be stored. They are stored later if the store is unavailable and the server
   * is not closing; otherwise they are lost.
   */
  onError: (error: unknown) => void;
};

/**
 * Counts visits for the statistics: adds them up, and stores the sums about once a second.
 *
 * Client addresses and user agents are used to count unique people, and are never stored or logged.
 *
 * @see docs/architecture.md, "Statistics and privacy"
 */
export class VisitRecorder {
  readonly #options: Options;
  readonly #readCountry: ReadCountry;
  readonly #referrers = new ReferrerHosts();
  readonly #unique: UniquePeople;
  readonly #totals = new VisitTotals();
  #cancelStoring: (() => void) | undefined;
  #storing: Promise<void> = Promise.resolve();

  constructor(options: Options) {
    this.#options = options;
    this.#readCountry = createReadCountry(options.countryHeader, options.trustProxy);
    this.#unique = new UniquePeople(options.randomBytes);
  }

  /**
   * @param linkId of the link that is visited
   * @param target where a person is sent: see `nameTarget`
   */
  record(
    linkId: string,
    visitClass: VisitClass,
    visit: Pick<Visit, 'headers' | 'sender' | 'address'>,
    target?: string,
  ): void {
    const time = this.#options.time.now();
    const total = this.#totals.of(linkId, time);
    this.#storeLater();
    if (visitClass !== 'people') {
      total[visitClass]++;
      return;
    }
    const { headers, address } = visit;
    const userAgent = UserAgent.of(headers['user-agent']);
    const isUnique = this.#unique.isFirst(total.hash, address.client, userAgent.hash, time);
    const person = {
      referrer: this.#referrers.tallyKey(headers.referer),
      families: userAgent.tallyKeys,
      country: tallyKey('countries', this.#readCountry(visit) ?? UNKNOWN_COUNTRY),
      target: target && tallyKey('targets', target),
    };
    total.addPerson(person, isUnique);
  }

  /** Stores everything. Nothing may be recorded afterwards. */
  async close(): Promise<void> {
    this.#cancelStoring?.();
    await this.#storing;
    await this.#store();
    this.#cancelStoring?.();
  }

  #storeLater(): void {
    this.#cancelStoring ??= this.#options.time.after(STORE_VISITS_MS, () => {
      this.#storing = this.#store();
      return this.#storing;
    });
  }

  async #store(): Promise<void> {
    const all = this.#totals.take();
    const parts: VisitsOfHour[][] = [];
    for (let start = 0; start < all.length; start += LINKS_A_CALL) {
      parts.push(all.slice(start, start + LINKS_A_CALL));
    }
    for (let part = parts.pop(); part; part = parts.pop()) {
      try {
        await this.#options.store.addVisits(part);
      } catch (error) {
        if (error instanceof StoreUnavailableError) {
          this.#totals.putBack([part, ...parts].flat());
          this.#options.onError(error);
          break;
        }
        // The store cannot take one of them: the others are stored without it.
        const middle = Math.ceil(part.length / 2);
        if (part.length > 1) parts.push(part.slice(middle), part.slice(0, middle));
        else this.#options.onError(dropped(part, error));
      }
    }
    this.#cancelStoring = undefined;
    if (!this.#totals.isEmpty) this.#storeLater();
  }
}

function dropped([visits]: VisitsOfHour[], cause: unknown): Error {
  const message = `The store cannot take visits of the link ${visits?.linkId}: they are lost.`;
  return new Error(message, { cause });
}

/** How many keys one link can have. More are made up, and must not fill the memory while the store fails. */
const KEYS_MAX = 1000;

const hash = newKeyedHash();

/** What is known of a person, as keys of `Tallies`. */
type Person = {
  referrer: string;
  /** Browser, system and device. */
  families: readonly string[];
  country: string;
  /** The target that a link with rules chose. */
  target: string | undefined;
};

/** Visits of a link in an hour that are not stored yet. */
class LinkTotal implements VisitsOfHour {
  readonly linkId: string;
  readonly hour: number;
  /** Stands for the link in this process. 32 random bits. */
  readonly hash: number;
  people = 0;
  uniquePeople = 0;
  previews = 0;
  bots = 0;
  readonly #tallies: Tallies = new Map();
  // The latest people in a row of whom the same is known: comparing is faster than adding.
  #inRow = 0;
  #latest: Person | undefined;

  constructor(linkId: string, hour: number) {
    this.linkId = linkId;
    this.hour = hour;
    this.hash = hash(linkId);
  }

  get tallies(): Tallies {
    this.#tallyRow();
    return this.#tallies;
  }

  addPerson(person: Person, isUnique: boolean): void {
    this.people++;
    if (isUnique) this.uniquePeople++;
    if (!isSame(person, this.#latest)) {
      this.#tallyRow();
      this.#latest = person;
    }
    this.#inRow++;
  }

  add({ people, uniquePeople, previews, bots, tallies }: VisitsOfHour): void {
    this.people += people;
    this.uniquePeople += uniquePeople;
    this.previews += previews;
    this.bots += bots;
    for (const [key, people] of tallies) this.#tally(key, people);
  }

  #tallyRow(): void {
    if (!this.#latest || this.#inRow === 0) return;
    const { referrer, families, country, target } = this.#latest;
    for (const key of [referrer, ...families, country]) this.#tally(key, this.#inRow);
    if (target !== undefined) this.#tally(target, this.#inRow);
    this.#inRow = 0;
  }

  #tally(key: string, people: number): void {
    const isFull = this.#tallies.size >= KEYS_MAX && !this.#tallies.has(key);
    addTo(this.#tallies, isFull ? key.charAt(0) + OTHER : key, people);
  }
}

function isSame(person: Person, other: Person | undefined): boolean {
  return (
    other !== undefined &&
    person.referrer === other.referrer &&
    person.families === other.families &&
    person.country === other.country &&
    person.target === other.target
  );
}

/** Adds up visits per link and hour. */
class VisitTotals {
  /** Totals by the number of the hour and the id of the link. */
  #hours = new Map<number, Map<string, LinkTotal>>();

  get isEmpty(): boolean {
    return this.#hours.size === 0;
  }

  /** The totals of a link in the hour of a time, in milliseconds since the epoch. */
  of(linkId: string, time: number): LinkTotal {
    const hour = hourNumber(time);
    let links = this.#hours.get(hour);
    if (!links) {
      links = new Map();
      this.#hours.set(hour, links);
    }
    let total = links.get(linkId);
    if (!total) {
      total = new LinkTotal(linkId, hour * HOUR_MS);
      links.set(linkId, total);
    }
    return total;
  }

  /** Removes and returns all. */
  take(): VisitsOfHour[] {
    const all = [...this.#hours.values()].flatMap((links) => [...links.values()]);
    this.#hours = new Map();
    return all;
  }

  /** Adds visits again that could not be stored. */
  putBack(visits: VisitsOfHour[]): void {
    for (const each of visits) this.of(each.linkId, each.hour).add(each);
  }
}

const MAX_REMEMBERED = 2000;
const MAX_REMEMBERED_CHARACTERS = 256;
/** Real hosts are shorter; long ones would fill the statistics. */
const HOST_MAX_CHARACTERS = 64;
const DIRECT = tallyKey('referrers', 'direct');

/** Reduces referrers to hosts, and remembers the latest. */
export class ReferrerHosts {
  readonly #remembered = new LruMap<string>(MAX_REMEMBERED);

  /**
   * @param referrer the value of `Referer`
   * @returns the key in `Tallies` of the host in lower case, without `www.`; of `direct` if nothing was sent,
   * of `other` if it is no URL with a host
   */
  tallyKey(referrer: string | undefined): string {
    if (referrer === undefined || referrer === '') return DIRECT;
    const remembered = this.#remembered.get(referrer);
    if (remembered !== undefined) return remembered;
    const key = tallyKey('referrers', hostOf(referrer));
    if (referrer.length <= MAX_REMEMBERED_CHARACTERS) this.#remembered.set(referrer, key);
    return key;
  }
}

function hostOf(referrer: string): string {
  const { hostname = '' } = URL.parse(referrer) ?? {};
  const host = normalizeHost(hostname).replace(/^www\.(?=.*\.)/, '');
  return host !== '' && host.length <= HOST_MAX_CHARACTERS ? host : OTHER;
}
