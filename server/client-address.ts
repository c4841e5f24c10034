import { isIP } from 'node:net';
import { normalizeIP } from '@fastify/rate-limit';
import type { FastifyRequest } from 'fastify';

const IPV6_CLIENT_BITS = 64;

/**
 * Whom a limit counts where there is no account: the IPv4 address, or an IPv6 address's /64, since
 * every household has a whole one. Behind a proxy of the settings, what `X-Forwarded-For` says.
 */
export function clientAddress(request: FastifyRequest): string {
  return normalizeIP(isIP(request.ip) ? request.ip : withoutPort(request), IPV6_CLIENT_BITS);
}

/** Some proxies forward `192.0.2.1:4711` or `[2001:db8::1]:4711`; what is no address at all is theirs. */
function withoutPort({ ip, socket }: FastifyRequest): string {
  const address = /^\[(.+)\](?::\d+)?$|^([\d.]+):\d+$/.exec(ip)?.slice(1).join('') ?? '';
  return isIP(address) ? address : (socket.remoteAddress ?? '');
}
