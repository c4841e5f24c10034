import { DOMAIN_MAX_CHARACTERS } from '../../shared/limits.ts';
import { authorityOf, normalizeHost } from './host-name.ts';

/** Hosts that mean this machine itself, normalized, and those of `/etc/hosts`. */
const LOOPBACK =
  /^(localhost|.+\.localhost|localhost\.localdomain|ip6-(localhost|loopback)|127(\.\d+){3}|0\.0\.0\.0|\[::1?\])$/;

/** The public address of this server, which short URLs start with. Parsed once for all links. */
export class ShortDomain {
  /** An origin: `https://s.example`. */
  readonly baseUrl: string;
  /** Host and port: `s.example`. */
  readonly host: string;
  readonly #authority: string;

  constructor(baseUrl: string) {
    const url = new URL(baseUrl);
    this.baseUrl = baseUrl;
    this.host = url.host;
    this.#authority = normalizeAuthority(url);
  }

  /**
   * Whether a URL points to this server's own host and port: a link to it would be a redirect loop.
   * Ports 80 and 443 count as one because servers redirect between them. So do all loopback names.
   */
  contains(url: URL): boolean {
    return normalizeAuthority(url) === this.#authority;
  }

  /** Whether a `Host` header names this server's host. Any port will do, because proxies omit it. */
  isNamedBy(header = ''): boolean {
    // Parsing a long international host would take long.
    if (header.length > DOMAIN_MAX_CHARACTERS) return false;
    const url = URL.parse(`http://${header}`);
    return url !== null && hostKey(url) === hostKey(new URL(this.baseUrl));
  }
}

function normalizeAuthority(url: URL): string {
  return authorityOf({ hostname: hostKey(url), port: url.port });
}

function hostKey({ hostname }: URL): string {
  const host = normalizeHost(hostname);
  return isLoopbackHost(host) ? 'localhost' : host;
}

/** @param host normalized, without a port */
export function isLoopbackHost(host: string): boolean {
  return LOOPBACK.test(host);
}
