const LOOPBACK =
  /^(localhost|.+\.localhost|127(\.\d+){3}|0\.0\.0\.0|\[::1?\]|\[::ffff:7f[\da-f]{2}:[\da-f]{1,4}\])$/;
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
   * names.
   */
  holds(url: URL): boolean {
    return placeOf(url) === this.#place;
  }
}

function placeOf({ hostname, port }: URL): string {
  const host = hostname.endsWith('.') ? hostname.slice(0, -1) : hostname;
  return `${LOOPBACK.test(host) ? 'localhost' : host}:${WEB_PORTS.includes(port) ? 'web' : port}`;
}
