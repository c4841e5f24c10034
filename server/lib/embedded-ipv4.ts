import ipaddr from 'ipaddr.js';

/** RFC 4291, section 2.5.5.1. `::` and `::1` are in it, but have a meaning of their own. */
const IPV4_COMPATIBLE = ipaddr.IPv6.parseCIDR('::/96');

/**
 * The IPv4 address that an IPv6 address stands for: IPv4-mapped and IPv4-compatible (RFC 4291),
 * IPv4-translated (RFC 2765), NAT64 (RFC 6052; of RFC 8215 with a prefix of 96 bits), 6to4 (RFC 3056) or
 * Teredo (RFC 4380).
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
