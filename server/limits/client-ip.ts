import { isIPv4, isIPv6 } from 'node:net';
import type { FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import { FifoMap } from 'toad-cache';

const MAX_CACHED = 2000;
const CLIENT_GROUPS = 4;
/** Groups of an IPv6 address that a /48 has. */
const SITE_GROUPS = 3;

/** The client of a request, for limits on clients without an account. */
export type ClientAddress = {
  /** An IPv4 address, or the /64 of an IPv6 address, because a client usually has a whole /64. */
  client: string;
  /**
   * The /48 and the /56 of an IPv6 address, because many households have 256 of these /64 networks, and many
   * hosts and tunnels 65,536. None of an IPv4 address.
   */
  networks: readonly [] | readonly [site: string, household: string];
};

const NO_NETWORKS = [] as const;

const cache = new FifoMap<ClientAddress>(MAX_CACHED);

/** The address of a request's client; from `X-Forwarded-For` if a trusted proxy sent it. */
export function clientAddress(request: FastifyRequest): ClientAddress {
  return addressOf(request.ip) ?? withoutPort(request);
}

/** Undefined for what is no IP address. */
export function addressOf(ip: string): ClientAddress | undefined {
  const cached = cache.get(ip);
  if (cached !== undefined) return cached;
  const address = parseAddress(ip);
  if (address !== undefined) cache.set(ip, address);
  return address;
}

/** Some proxies forward `192.0.2.1:4711` or `[2001:db8::1]:4711`. Falls back to the proxy's address. */
function withoutPort({ ip, socket }: FastifyRequest): ClientAddress {
  const address = /^\[(.+)\](?::\d+)?$|^([\d.]+):\d+$/.exec(ip)?.slice(1).join('') ?? '';
  return (
    parseAddress(address) ??
    parseAddress(socket.remoteAddress ?? '') ?? { client: 'unknown', networks: NO_NETWORKS }
  );
}

function parseAddress(ip: string): ClientAddress | undefined {
  if (isIPv4(ip)) return { client: ip, networks: NO_NETWORKS };
  if (!isIPv6(ip)) return undefined;
  const address = ipaddr.IPv6.parse(ip.split('%', 1)[0] ?? '');
  if (address.isIPv4MappedAddress()) {
    return { client: address.toIPv4Address().toString(), networks: NO_NETWORKS };
  }
  const groups = address.parts.slice(0, CLIENT_GROUPS);
  const household = groups.map((group, index) =>
    index === CLIENT_GROUPS - 1 ? group & 0xff00 : group,
  );
  return {
    client: `${format(groups)}/64`,
    networks: [`${format(groups.slice(0, SITE_GROUPS))}/48`, `${format(household)}/56`],
  };
}

function format(groups: number[]): string {
  return groups.map((group) => group.toString(16)).join(':');
}
