import { randomBytes } from 'node:crypto';
import { hostOfUrl, isWithin } from '../../../core/host-name.ts';
import {
  type AllLinksPage,
  type AllLinksQuery,
  InvalidPositionError,
} from '../../administration.ts';
import type { Link } from '../../link.ts';
import type { LinkTable } from '../memory/link-table.ts';
import { LinkFilter } from './link-filter.ts';
import { accountIdIn } from './record-text.ts';
import type { TimeSlices } from './time-slices.ts';

/** Lists the links of all accounts, added last first. Keeps no order of its own: numbers are one. */
export class AllLinks {
  readonly #links: LinkTable;
  readonly #slices: TimeSlices;
  /** Numbers are valid until the store is closed; afterwards, a position names its link only. */
  readonly #session = randomBytes(6).toString('hex');

  constructor(links: LinkTable, slices: TimeSlices) {
    this.#links = links;
    this.#slices = slices;
  }

  /**
   * @see Administration.listAllLinks
   *
   * @param isHidden whether the link is going to be erased
   */
  async page(query: AllLinksQuery, isHidden: (link: Link) => boolean): Promise<AllLinksPage> {
    const { host, accountId } = query;
    const filter = new LinkFilter({ ...query, tag: null });
    const isOfAccount = (json: string) => accountId === null || accountIdIn(json) === accountId;
    const links: Link[] = [];
    let next = '';
    let number = query.after === null ? this.#links.count : this.#numberOf(query.after);
    await this.#slices.next();
    while (number-- > 0) {
      if (this.#slices.isOver) await this.#slices.next();
      const json = this.#links.jsonOf(number);
      // First what does not parse the link.
      if (json === '' || !isOfAccount(json) || !mayBeTo(host, json)) continue;
      if (!filter.mayPass(json)) continue;
      const link = this.#links.read(number);
      if (host !== null && !isWithin(hostOfUrl(link.targetUrl), host)) continue;
      if (isHidden(link) || !filter.passes(link)) continue;
      if (links.length === query.limit) return { links, next };
      links.push(link);
      next = `${this.#session} ${number} ${link.id}`;
    }
    return { links, next: null };
  }

  /** If the link was erased since and the server restarted, some links are skipped or repeated. */
  #numberOf(position: string): number {
    const [, session, digits, id = ''] = /^(\w+) (\d{1,10}) (.+)$/.exec(position) ?? [];
    if (digits === undefined) throw new InvalidPositionError();
    const number = Math.min(Number(digits), this.#links.count);
    return session === this.#session ? number : (this.#links.numberOf(id) ?? number);
  }
}

/** An IPv6 address may hold the host, an IPv4 address. */
function mayBeTo(host: string | null, json: string): boolean {
  return host === null || json.includes(host) || json.includes('://[');
}
