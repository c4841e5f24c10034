/** Hosts that mean this machine itself, as the URL parser and `/etc/hosts` spell them. */
const LOOPBACK =
  /^(localhost|.+\.localhost|localhost\.localdomain|ip6-(localhost|loopback)|127(\.\d+){3}|0\.0\.0\.0|\[::1?\])$/;
/** `[::ffff:192.0.2.1]`, as the URL parser writes it. */
const IPV4_MAPPED = /^\[::ffff:([\da-f]{1,4}):([\da-f]{1,4})\]$/;
const WEB_PORTS = ['', '80', '443'];

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
   * Ports 80 and 443 count as one because servers redirect between them. So do all loopback names,
   * and an IPv4 address and its IPv6 form. The URL parser normalizes all other spellings.
   */
  contains(url: URL): boolean {
    return normalizeAuthority(url) === this.#authority;
  }
}

function normalizeAuthority({ hostname, port }: URL): string {
  const host = unmapIpv4(hostname.endsWith('.') ? hostname.slice(0, -1) : hostname);
  return `${LOOPBACK.test(host) ? 'localhost' : host}:${WEB_PORTS.includes(port) ? 'web' : port}`;
}

function unmapIpv4(host: string): string {
  const [, high, low] = IPV4_MAPPED.exec(host) ?? [];
  if (high === undefined || low === undefined) return host;
  const bytes = [high, low].flatMap((part) => {
    const value = Number.parseInt(part, 16);
    return [value >> 8, value & 0xff];
  });
  return bytes.join('.');
}
