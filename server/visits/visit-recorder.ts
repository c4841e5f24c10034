import type { IncomingMessage } from 'node:http';
import { type Store, StoreUnavailableError } from '../store/store.ts';
import { tallyKey, type VisitsOfHour } from '../store/visits.ts';
import { createReadCountry, type ReadCountry } from './country.ts';
import { ReferrerHosts } from './referrer-hosts.ts';
import { UniquePeople } from './unique-people.ts';
import { UserAgent } from './user-agent.ts';
import type { VisitClass } from './visit-class.ts';
import { VisitTotals } from './visit-totals.ts';

/** Less than a second: that is what a crash may lose. */
const STORE_MS = 900;
/** Of one call of the store, which applies them at once. */
const LINKS_A_CALL = 1000;
const UNKNOWN_COUNTRY = 'unknown';

type Options = {
  store: Pick<Store, 'addVisits'>;
  /** In lower case. */
  countryHeader: string | undefined;
  trustProxy: string[];
  /** Milliseconds since the epoch. */
  clock: () => number;
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
  #storeTimer: NodeJS.Timeout | undefined;
  #storing: Promise<void> = Promise.resolve();

  constructor(options: Options) {
    this.#options = options;
    this.#readCountry = createReadCountry(options.countryHeader, options.trustProxy);
    this.#unique = new UniquePeople(options.randomBytes);
  }

  /**
   * @param linkId of the link that is visited
   * @param client the client's address
   * @param target where a person is sent: see `nameTarget`
   */
  record(
    linkId: string,
    visitClass: VisitClass,
    request: Pick<IncomingMessage, 'headers' | 'socket'>,
    client: string,
    target?: string,
  ): void {
    const time = this.#options.clock();
    const total = this.#totals.of(linkId, time);
    this.#storeLater();
    if (visitClass !== 'people') {
      total[visitClass]++;
      return;
    }
    const { headers } = request;
    const userAgent = UserAgent.of(headers['user-agent']);
    const isUnique = this.#unique.isFirst(total.hash, client, userAgent.hash, time);
    const person = {
      referrer: this.#referrers.tallyKey(headers.referer),
      families: userAgent.tallyKeys,
      country: tallyKey('countries', this.#readCountry(request) ?? UNKNOWN_COUNTRY),
      target: target && tallyKey('targets', target),
    };
    total.addPerson(person, isUnique);
  }

  /** Stores everything. Nothing may be recorded afterwards. */
  async close(): Promise<void> {
    clearTimeout(this.#storeTimer);
    await this.#storing;
    await this.#store();
    clearTimeout(this.#storeTimer);
  }

  #storeLater(): void {
    this.#storeTimer ??= setTimeout(() => {
      this.#storing = this.#store();
    }, STORE_MS);
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
    this.#storeTimer = undefined;
    if (!this.#totals.isEmpty) this.#storeLater();
  }
}

function dropped([visits]: VisitsOfHour[], cause: unknown): Error {
  const message = `The store cannot take visits of the link ${visits?.linkId}: they are lost.`;
  return new Error(message, { cause });
}
