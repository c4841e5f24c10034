import type { IncomingMessage } from 'node:http';
import type { Store } from '../store/store.ts';
import type { VisitsOfHour } from '../store/visits.ts';
import { UserAgent } from '../visit/user-agent.ts';
import type { VisitClass } from '../visit/visit-class.ts';
import { createReadCountry, type ReadCountry } from './country.ts';
import { ReferrerHosts } from './referrer-hosts.ts';
import { UniquePeople } from './unique-people.ts';
import { VisitTotals } from './visit-totals.ts';
import type { VisitedLink } from './visited-link.ts';

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
  /** Called if visits could not be stored. They are stored later, unless the server is closing. */
  onError: (error: unknown) => void;
};

/**
 * Counts visits for the statistics: adds them up, and stores the sums about once a second.
 *
 * Client addresses and user agents are used to count unique people, and are never stored or logged.
 *
 * @see docs/design.md, "Statistics"
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

  /** @param client the client's address */
  record(
    link: VisitedLink,
    visitClass: VisitClass,
    request: Pick<IncomingMessage, 'headers' | 'socket'>,
    client: string,
  ): void {
    const time = this.#options.clock();
    this.#storeLater();
    if (visitClass !== 'people') {
      this.#totals.addOther(link, time, visitClass);
      return;
    }
    const { headers } = request;
    const userAgent = UserAgent.of(headers['user-agent']);
    const isUnique = this.#unique.isFirst(link.hash, client, userAgent.hash, time);
    const referrer = this.#referrers.get(headers.referer);
    const country = this.#readCountry(request) ?? UNKNOWN_COUNTRY;
    this.#totals.addPerson(link, time, { referrer, userAgent, country }, isUnique);
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
    let left: VisitsOfHour[] = this.#totals.take();
    try {
      while (left.length > 0) {
        await this.#options.store.addVisits(left.slice(0, LINKS_A_CALL));
        left = left.slice(LINKS_A_CALL);
      }
      this.#storeTimer = undefined;
    } catch (error) {
      this.#storeTimer = undefined;
      this.#totals.putBack(left);
      this.#storeLater();
      this.#options.onError(error);
    }
    if (!this.#totals.isEmpty) this.#storeLater();
  }
}
