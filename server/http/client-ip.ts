import { isIP } from 'node:net';
import { normalizeIP } from '@fastify/rate-limit';
import type { FastifyRequest } from 'fastify';

const IPV6_CLIENT_BITS = 64;
const MAX_REMEMBERED = 2000;

/** A client calls more than once, and an IPv6 address takes long to read. */
const clients = new Map<string, string>();

/**
 * Whom a limit counts where there is no account: the IPv4 address, or an IPv6 address's /64, since
 * every household has a whole one. Behind a proxy of the settings, what `X-Forwarded-For` says.
 */
export function clientAddress(request: FastifyRequest): string {
  const { ip } = request;
  const known = clients.get(ip);
  if (known !== undefined) return known;
  if (!isIP(ip)) return normalizeIP(withoutPort(request), IPV6_CLIENT_BITS);
  const client = normalizeIP(ip, IPV6_CLIENT_BITS);
  if (clients.size >= MAX_REMEMBERED) clients.clear();
  clients.set(ip, client);
  return client;
}

/** Some proxies forward `192.0.2.1:4711` or `[2001:db8::1]:4711`; what is no address at all is theirs. */
function withoutPort({ ip, socket }: FastifyRequest): string {
  const address = /^\[(.+)\](?::\d+)?$|^([\d.]+):\d+$/.exec(ip)?.slice(1).join('') ?? '';
  return isIP(address) ? address : (socket.remoteAddress ?? '');
}
