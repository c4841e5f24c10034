import { LruMap } from 'toad-cache';
import { normalizeHost } from '../lib/host-name.ts';
import { OTHER, tallyKey } from '../store/visits.ts';

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
