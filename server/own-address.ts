const LOOPBACK =
  /^(localhost|.+\.localhost|127(\.\d+){3}|0\.0\.0\.0|\[::1?\]|\[::ffff:7f[\da-f]{2}:[\da-f]{1,4}\])$/;
const WEB_PORTS = ['', '80', '443'];

/**
 * Whether a URL lies on this server's own host and port: a link to it could only lead in circles.
 * The default ports count as one, since servers redirect between them, and so do the loopback names.
 */
export function isOwnAddress(url: string, baseUrl: string): boolean {
  const target = new URL(url);
  const own = new URL(baseUrl);
  return hostKey(target) === hostKey(own) && portKey(target) === portKey(own);
}

function hostKey({ hostname }: URL): string {
  const host = hostname.replace(/\.$/, '');
  return LOOPBACK.test(host) ? 'localhost' : host;
}

function portKey({ port }: URL): string {
  return WEB_PORTS.includes(port) ? 'web' : port;
}
