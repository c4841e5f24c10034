import { hostAndDomains, hostOfUrl } from '../lib/host-name.ts';
import { hasUrl } from '../store/has-url.ts';
import type { Link } from '../store/link.ts';
import type { Store } from '../store/store.ts';
import type { BlockedHostsFile } from './blocked-hosts-file.ts';

/**
 * What is blocked: by administrators, and by the file `BLOCKED_HOSTS`.
 *
 * Nothing is stored with links: whether one is blocked is decided at each visit. So a block of a host is in effect at once, however many links there are.
 */
export class BlockList {
  readonly #store: Pick<Store, 'blocks'>;
  readonly #file: BlockedHostsFile | undefined;

  constructor(store: Pick<Store, 'blocks'>, file?: BlockedHostsFile) {
    this.#store = store;
    this.#file = file;
  }

  isBlocked(link: Link): boolean {
    const { blocks } = this.#store;
    if (blocks.link.size > 0 && blocks.link.has(link.id)) return true;
    if (blocks.account.size > 0 && blocks.account.has(link.accountId)) return true;
    return this.#blocksHosts && hasUrl(link, (url) => this.blocksHost(hostOfUrl(url)));
  }

  /** @param host as `hostOfUrl` returns it */
  blocksHost(host: string): boolean {
    if (!this.#blocksHosts) return false;
    for (const each of hostAndDomains(host)) {
      if (this.#store.blocks.host.has(each) || this.#file?.has(each)) return true;
    }
    return false;
  }

  get #blocksHosts(): boolean {
    return this.#store.blocks.host.size > 0 || (this.#file?.size ?? 0) > 0;
  }
}
