import type { IncomingMessage } from 'node:http';
import type { Store } from '../store/store.ts';
import type { VisitsOfHour } from '../store/visits.ts';
import type { VisitClass } from '../visit/visit-class.ts';
import { createReadCountry, type ReadCountry } from './country.ts';
import { ReferrerHosts } from './referrer-hosts.ts';
import { UniquePeople } from './unique-people.ts';
import { UserAgents } from './user-agents.ts';
import { type RingVisit, VisitRing } from './visit-ring.ts';
import { VisitTotals } from './visit-totals.ts';

const RING_VISITS = 8192;
/** Together less than a second: that is what a crash may lose. */
const DRAIN_MS = 100;
const STORE_MS = 800;
/** About half a millisecond. */
const VISITS_A_SLICE = 500;
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
 * Counts visits for the statistics. On a visit, a few values are put into a ring; user agents are parsed
 * and visits are added up in the background, and the sums go to the store about once a second.
 *
 * Client addresses and user agents are used to count unique people, and are never stored or logged.
 *
 * @see docs/design.md, "Statistics"
 */
export class VisitRecorder {
  readonly #options: Options;
  readonly #readCountry: ReadCountry;
  readonly #ring = new VisitRing(RING_VISITS);
  readonly #userAgents: UserAgents;
  readonly #referrers = new ReferrerHosts();
  readonly #unique: UniquePeople;
  readonly #totals = new VisitTotals();
  #drainTimer: NodeJS.Timeout | undefined;
  #storeTimer: NodeJS.Timeout | undefined;
  #storing: Promise<void> = Promise.resolve();

  constructor(options: Options) {
    this.#options = options;
    this.#readCountry = createReadCountry(options.countryHeader, options.trustProxy);
    const salt = options.randomBytes(8);
    this.#userAgents = new UserAgents([salt.readInt32LE(0), salt.readInt32LE(4)]);
    this.#unique = new UniquePeople(options.randomBytes);
  }

  /** @param client the client's address */
  record(linkId: string, visitClass: VisitClass, request: IncomingMessage, client: string): void {
    if (this.#ring.isFull) this.#drain(RING_VISITS);
    const visit = this.#ring.next();
    visit.linkId = linkId;
    visit.visitClass = visitClass;
    visit.time = this.#options.clock();
    this.#drainTimer ??= setTimeout(this.#drainInSlices, DRAIN_MS);
    if (visitClass !== 'people') return;
    visit.userAgent = request.headers['user-agent'];
    visit.referrer = request.headers.referer;
    visit.client = client;
    visit.country = this.#readCountry(request);
  }

  /** Stores everything. Nothing may be recorded afterwards. */
  async close(): Promise<void> {
    clearTimeout(this.#drainTimer);
    clearTimeout(this.#storeTimer);
    await this.#storing;
    this.#drain(RING_VISITS);
    await this.#store();
    clearTimeout(this.#storeTimer);
  }

  readonly #drainInSlices = (): void => {
    this.#drain(VISITS_A_SLICE);
    if (this.#ring.count > 0) setImmediate(this.#drainInSlices);
    else this.#drainTimer = undefined;
  };

  #drain(max: number): void {
    this.#ring.drain(max, this.#count);
    if (!this.#totals.isEmpty) this.#storeLater();
  }

  readonly #count = (visit: RingVisit): void => {
    const { linkId, visitClass, time } = visit;
    if (visitClass !== 'people') {
      this.#totals.addOther(linkId, time, visitClass);
      return;
    }
    const userAgent = this.#userAgents.get(visit.userAgent);
    this.#totals.addPerson(linkId, time, {
      referrer: this.#referrers.get(visit.referrer),
      userAgent,
      country: visit.country ?? UNKNOWN_COUNTRY,
      isUnique: this.#unique.isFirst(linkId, visit.client, userAgent.hash, time),
    });
  };

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
