/** Whatever reaches this machine from itself, as the URL parser and `/etc/hosts` name it. */
const LOOPBACK =
  /^(localhost|.+\.localhost|localhost\.localdomain|ip6-(localhost|loopback)|127(\.\d+){3}|0\.0\.0\.0|\[::1?\])$/;
/** `[::ffff:192.0.2.1]`, as the URL parser writes it. */
const IPV4_MAPPED = /^\[::ffff:([\da-f]{1,4}):([\da-f]{1,4})\]$/;
const WEB_PORTS = ['', '80', '443'];

/** Where this server is reached, and what short URLs begin with. Read once: every link needs it. */
export class ShortDomain {
  /** An origin: `https://s.example`. */
  readonly baseUrl: string;
  /** Host and port: `s.example`. */
  readonly host: string;
  readonly #place: string;

  constructor(baseUrl: string) {
    const url = new URL(baseUrl);
    this.baseUrl = baseUrl;
    this.host = url.host;
    this.#place = placeOf(url);
  }

  /**
   * Whether a URL lies on this server's own host and port: a link to it could only lead in circles.
   * The default ports count as one, since servers redirect between them, and so do the loopback
   * names, and an IPv4 address with its IPv6 form. The URL parser unites all other spellings.
   */
  holds(url: URL): boolean {
    return placeOf(url) === this.#place;
  }
}

function placeOf({ hostname, port }: URL): string {
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
