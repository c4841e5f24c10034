import { isIPv4 } from 'node:net';
import { domainToUnicode } from 'node:url';
import ipaddr from 'ipaddr.js';
import { DOMAIN_MAX_CHARACTERS } from '../../shared/bounds.ts';

/** RFC 4291, section 2.5.5.1. `::` and `::1` are in it, but have a meaning of their own. */
const IPV4_COMPATIBLE = ipaddr.IPv6.parseCIDR('::/96');

/**
 * Returns the IPv4 address that an IPv6 address stands for: IPv4-mapped and IPv4-compatible (RFC 4291),
 * IPv4-translated (RFC 2765), NAT64 (RFC 6052; of RFC 8215 with a prefix of 96 bits), 6to4 (RFC 3056) or Teredo
 * (RFC 4380).
 */
export function embeddedIpv4(ipv6Address: string): string | undefined {
  const address = ipaddr.IPv6.parse(ipv6Address);
  const bytes = address.toByteArray();
  switch (address.range()) {
    case 'ipv4Mapped':
    case 'rfc6145':
    case 'rfc6052':
      return bytes.slice(12).join('.');
    case '6to4':
      return bytes.slice(2, 6).join('.');
    case 'teredo':
      // Its bits are inverted, so that no router replaces it.
      return bytes
        .slice(12)
        .map((byte) => byte ^ 0xff)
        .join('.');
    case 'unicast':
      return address.match(IPV4_COMPATIBLE) ? bytes.slice(12).join('.') : undefined;
    default:
      return undefined;
  }
}

/** The scheme and `//`, then the host until a port, a path, a query or a fragment. */
const HOST_OF_URL = /^[a-z][a-z\d+.-]*:\/\/(\[[^\]]*\]|[^/:?#]*)/;
const STANDARD_PORTS = ['', '80', '443'];
/** A wildcard inside a name would match nothing. */
const OTHER_PARTS = /[\s/?#@\\%*]/;
/** A last label that begins with a digit may be part of an IPv4 address, such as `0xc0000201`. */
const SIMPLE_NAME = /^([a-z\d_-]+\.)*[a-z][a-z\d_-]*$/;

/**
 * Returns the form in which hosts are compared: in lower case, in ASCII, without a trailing dot, and as an IPv4
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

/** Returns the normalized host of a URL, with its port. 80 and 443 are omitted: servers redirect between them. */
export function authorityOf({ hostname, port }: Pick<URL, 'hostname' | 'port'>): string {
  return normalizeHost(hostname) + (STANDARD_PORTS.includes(port) ? '' : `:${port}`);
}

/** Returns the normalized host of a serialized URL, without its port. */
export function hostOfUrl(url: string): string {
  return normalizeHost(HOST_OF_URL.exec(url)?.[1] ?? '');
}

/** Returns the host itself, and the domains that it is in: `a.b.example`, `b.example`, `example`. */
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

/** Domains that no public DNS has: RFC 6761, RFC 6762 with its appendix G, RFC 8375, and `internal` of ICANN. */
const INTERNAL_DOMAIN =
  /\.(local|localhost|localdomain|internal|intranet|private|corp|home|lan|test|home\.arpa)$/;

/** Whether a host has a meaning in a network of its own only, or is an address. @param host normalized */
export function isInternalHost(host: string): boolean {
  return !host.includes('.') || isIPv4(host) || INTERNAL_DOMAIN.test(host);
}

/** Scripts of names, and sets of those that one name mixes. */
const SCRIPTS = [
  ['Latin', 'Han', 'Hiragana', 'Katakana'],
  ['Latin', 'Han', 'Bopomofo'],
  ['Latin', 'Han', 'Hangul'],
  ...['Arabic', 'Armenian', 'Bengali', 'Cyrillic', 'Devanagari', 'Ethiopic', 'Georgian', 'Greek'],
  ...['Gujarati', 'Gurmukhi', 'Hebrew', 'Kannada', 'Khmer', 'Lao', 'Malayalam', 'Myanmar', 'Oriya'],
  ...['Sinhala', 'Tamil', 'Telugu', 'Thai'],
].map((scripts) => {
  const letters = [scripts].flat().map((script) => `\\p{Script_Extensions=${script}}`);
  return new RegExp(`^[\\d\\-${letters.join('')}]+$`, 'u');
});
/** Cyrillic and Greek letters that look like Latin ones: a name of nothing else could be another one. */
const LIKE_LATIN = /^[\d\-аԁеһіјӏорсԛѕуԝхαικνορτυ]+$/;

/**
 * Returns a host as people read it: `bücher.example:8080`. A name whose parts mix scripts, or that could be read as
 * another one, stays in ASCII, as in the address bar of browsers.
 *
 * @param authority as `authorityOf` returns it
 */
export function displayHost(authority: string): string {
  if (!authority.includes('xn--')) return authority;
  const [, name = '', port = ''] = /^(.*?)(:\d+)?$/.exec(authority) ?? [];
  const labels = domainToUnicode(name).split('.');
  return labels.every(isReadable) ? labels.join('.') + port : authority;
}

function isReadable(label: string): boolean {
  if (/^[\w-]*$/.test(label)) return !label.startsWith('xn--');
  return !LIKE_LATIN.test(label) && SCRIPTS.some((script) => script.test(label));
}
