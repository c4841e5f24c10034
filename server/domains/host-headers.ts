import { DOMAIN_MAX_CHARACTERS } from '../../shared/limits.ts';
import { parseAuthority } from '../lib/host-name.ts';

/** More than that are sent by somebody who makes them up. */
const CACHED_MAX = 1000;

/**
 * The hosts that `Host` headers name, normalized: with their port, and without it. Parsing takes longer than
 * the rest of a look-up, and the same few are sent with each request, as by proxies and health checks.
 */
export class HostHeaders {
  readonly #parsed = new Map<string, readonly string[]>();

  get size(): number {
    return this.#parsed.size;
  }

  parse(header: string): readonly string[] {
    if (header.length > DOMAIN_MAX_CHARACTERS) return [];
    let hosts = this.#parsed.get(header);
    if (!hosts) {
      const named = [header, header.replace(/:\d+$/, '')].map(parseAuthority);
      hosts = [...new Set(named.filter((host) => host !== undefined))];
      if (this.#parsed.size === CACHED_MAX) this.#parsed.clear();
      this.#parsed.set(header, hosts);
    }
    return hosts;
  }
}
