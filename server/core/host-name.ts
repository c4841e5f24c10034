import { isIPv4 } from 'node:net';

/** `https://` or `http://`, then the host until a port, a path, a query or a fragment. */
const HOST_OF_URL = /^https?:\/\/(\[[^\]]*\]|[^/:?#]*)/;
/** A wildcard inside a name would match nothing. */
const OTHER_PARTS = /[\s/?#@\\%*]/;
const SIMPLE_NAME = /^[a-z\d_-]+(\.[a-z\d_-]+)*\.?$/;
const HAS_LETTER = /[a-z]$/;

/**
 * Normalizes a host as people write it: `Example.COM.`, `*.example.com`, `bücher.example` or `[::1]`.
 *
 * @returns the host as `URL` writes it, without a trailing dot; undefined if it is none
 */
export function parseHost(text: string): string | undefined {
  const name = text
    .trim()
    .toLowerCase()
    .replace(/^\*?\./, '');
  // A list can have 100,000 of them, and parsing a URL takes longer.
  if (SIMPLE_NAME.test(name) && HAS_LETTER.test(name) && !name.includes('xn--')) {
    return withoutDot(name);
  }
  const isIpv6 = name.startsWith('[') && name.endsWith(']');
  if (name === '' || OTHER_PARTS.test(name) || (!isIpv6 && name.includes(':'))) return undefined;
  const url = `http://${name}/`;
  return URL.canParse(url) ? withoutDot(new URL(url).hostname) || undefined : undefined;
}

/** The host of a serialized URL, without its port. */
export function hostOfUrl(url: string): string {
  return withoutDot(HOST_OF_URL.exec(url)?.[1] ?? '');
}

/** The host itself, and the domains that it is in: `a.b.example`, `b.example`, `example`. */
export function* hostAndDomains(host: string): Generator<string> {
  yield host;
  if (host.startsWith('[') || isIPv4(host)) return;
  for (let dot = host.indexOf('.'); dot !== -1; dot = host.indexOf('.', dot + 1)) {
    yield host.slice(dot + 1);
  }
}

/** Whether a host is the other one or in it. */
export function isWithin(host: string, other: string): boolean {
  return host === other || (host.endsWith(`.${other}`) && !isIPv4(host));
}

function withoutDot(host: string): string {
  return host.endsWith('.') ? host.slice(0, -1) : host;
}
