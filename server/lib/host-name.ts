import { isIPv4 } from 'node:net';
import { DOMAIN_MAX_CHARACTERS } from '../../shared/limits.ts';
import { embeddedIpv4 } from './embedded-ipv4.ts';

/** The scheme and `//`, then the host until a port, a path, a query or a fragment. */
const HOST_OF_URL = /^[a-z][a-z\d+.-]*:\/\/(\[[^\]]*\]|[^/:?#]*)/;
const STANDARD_PORTS = ['', '80', '443'];
/** A wildcard inside a name would match nothing. */
const OTHER_PARTS = /[\s/?#@\\%*]/;
/** A last label that begins with a digit may be part of an IPv4 address, such as `0xc0000201`. */
const SIMPLE_NAME = /^([a-z\d_-]+\.)*[a-z][a-z\d_-]*$/;

/**
 * The form in which hosts are compared: in lower case, in ASCII, without a trailing dot, and as an IPv4
 * address if the host is an IPv6 address that holds one.
 *
 * @param hostname as `URL` writes it, without a port
 */
export function normalizeHost(hostname: string): string {
  if (hostname.startsWith('[')) return embeddedIpv4(hostname.slice(1, -1)) ?? hostname;
  return hostname.toLowerCase().replace(/\.$/, '');
}

/**
 * Normalizes a host as people write it: `Example.COM.`, `*.example.com`, `bücher.example` or `[::1]`.
 *
 * @returns undefined if it is no host
 */
export function parseHost(text: string): string | undefined {
  const name = text
    .trim()
    .toLowerCase()
    .replace(/^\*?\./, '');
  // A list can have 100,000 of them, and parsing a URL takes longer.
  if (SIMPLE_NAME.test(name) && !name.includes('xn--')) return name;
  const isIpv6 = name.startsWith('[') && name.endsWith(']');
  if (OTHER_PARTS.test(name) || (!isIpv6 && name.includes(':'))) return undefined;
  const host = normalizeHost(URL.parse(`http://${name}/`)?.hostname ?? '');
  return host.split('.').includes('') ? undefined : host;
}

/**
 * Normalizes a host with an optional port as people write it: `Go.Example:8080`.
 *
 * @returns as `authorityOf`; undefined if it is no host
 */
export function parseAuthority(text: string): string | undefined {
  // Parsing a long international host would take long.
  if (text.length > DOMAIN_MAX_CHARACTERS) return undefined;
  const [, name = '', port] = /^(.*?)(:\d+)?$/s.exec(text.trim()) ?? [];
  const host = /^[*.]/.test(name) ? undefined : parseHost(name);
  const url = host === undefined ? null : URL.parse(`http://${host}${port ?? ''}`);
  return url ? authorityOf(url) : undefined;
}

/** The normalized host of a URL, with its port. 80 and 443 are omitted: servers redirect between them. */
export function authorityOf({ hostname, port }: Pick<URL, 'hostname' | 'port'>): string {
  return normalizeHost(hostname) + (STANDARD_PORTS.includes(port) ? '' : `:${port}`);
}

/** The normalized host of a serialized URL, without its port. */
export function hostOfUrl(url: string): string {
  return normalizeHost(HOST_OF_URL.exec(url)?.[1] ?? '');
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
