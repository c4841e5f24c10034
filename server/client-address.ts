import { normalizeIP } from '@fastify/rate-limit';
import type { FastifyRequest } from 'fastify';

const IPV6_CLIENT_BITS = 64;

/**
 * Whom a limit counts where there is no account: the IPv4 address, or an IPv6 address's /64, since
 * every household has a whole one. Behind a proxy of the settings, what `X-Forwarded-For` says.
 */
export function clientAddress(request: FastifyRequest): string {
  return normalizeIP(request.ip, IPV6_CLIENT_BITS);
}
