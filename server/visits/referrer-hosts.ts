import { LruMap } from 'toad-cache';
import { normalizeHost } from '../lib/host-name.ts';
import { OTHER } from '../store/visits.ts';

const MAX_REMEMBERED = 2000;
const MAX_REMEMBERED_CHARACTERS = 256;
/** Real hosts are shorter; long ones would fill the statistics. */
const HOST_MAX_CHARACTERS = 64;
const DIRECT = 'direct';

/** Reduces referrers to hosts, and remembers the latest. */
export class ReferrerHosts {
  readonly #remembered = new LruMap<string>(MAX_REMEMBERED);

  /**
   * @param referrer the value of `Referer`
   * @returns the host in lower case, without `www.`; `direct` if nothing was sent, `other` if it is no
   * URL with a host
   */
  get(referrer: string | undefined): string {
    if (referrer === undefined || referrer === '') return DIRECT;
    const remembered = this.#remembered.get(referrer);
    if (remembered !== undefined) return remembered;
    const host = hostOf(referrer);
    if (referrer.length <= MAX_REMEMBERED_CHARACTERS) this.#remembered.set(referrer, host);
    return host;
  }
}

function hostOf(referrer: string): string {
  const { hostname = '' } = URL.parse(referrer) ?? {};
  const host = normalizeHost(hostname).replace(/^www\.(?=.*\.)/, '');
  return host !== '' && host.length <= HOST_MAX_CHARACTERS ? host : OTHER;
}
