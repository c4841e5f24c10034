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
const UNKNOWN: ClientAddress = { client: 'unknown', networks: NO_NETWORKS };

const cache = new FifoMap<ClientAddress>(MAX_CACHED);

/** Returns the address of a request's client; from `X-Forwarded-For` if a trusted proxy sent it. */
export function clientAddress(request: FastifyRequest): ClientAddress {
  return cachedAddress(request.ip) ?? withoutPort(request);
}

/** Returns the address of a connection. */
export function addressOf(ip: string): ClientAddress {
  return cachedAddress(ip) ?? UNKNOWN;
}

function cachedAddress(ip: string): ClientAddress | undefined {
  const cached = cache.get(ip);
  if (cached !== undefined) return cached;
  const address = parseAddress(ip);
  if (address !== undefined) cache.set(ip, address);
  return address;
}

/** Some proxies forward `192.0.2.1:4711` or `[2001:db8::1]:4711`. Falls back to the proxy's address. */
function withoutPort({ ip, socket }: FastifyRequest): ClientAddress {
  const address = /^\[(.+)\](?::\d+)?$|^([\d.]+):\d+$/.exec(ip)?.slice(1).join('') ?? '';
  return parseAddress(address) ?? addressOf(socket.remoteAddress ?? '');
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

/** Whether `X-Forwarded-For` comes from an address that is not in `TRUST_PROXY`. */
export function hasUntrustedForwardedFor({ headers, ips }: FastifyRequest): boolean {
  return headers['x-forwarded-for'] !== undefined && (ips?.length ?? 1) <= 1;
}

/**
 * Detects a proxy that is missing in `TRUST_PROXY`: it sends `X-Forwarded-For`, and all visitors have
 * the same address. Anyone can send this header to a server without a proxy; there, the first visitor
 * with another address disproves it.
 */
export class UnnamedProxy {
  #only: string | undefined;
  #isDirect = false;

  /** Must be called for every visit. */
  observe({ client }: ClientAddress, hasUntrustedForwardedFor: boolean): void {
    if (client === this.#only || this.#isDirect) return;
    // The operator may test the server on the machine itself.
    if (isLoopback(client) && !hasUntrustedForwardedFor) return;
    if (this.#only === undefined) this.#only = client;
    else this.#isDirect = true;
  }

  /** Whether this request, like all others, comes from such a proxy. */
  forwards(hasUntrustedForwardedFor: boolean): boolean {
    return !this.#isDirect && hasUntrustedForwardedFor;
  }
}

function isLoopback(client: string): boolean {
  return client.startsWith('127.') || client === '0:0:0:0/64';
}
