import { BlockList, isIP } from 'node:net';
import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import type { ShortDomains } from '../../domains/short-domains.ts';
import { ServiceError } from '../../lib/service-error.ts';

/**
 * Answers 404 on all domains but that of `BASE_URL`: their pages are of other origins than the API and the
 * dashboard, where tokens are. See `answersLoopback` for the exception.
 */
export const onlyOnBaseUrl = fp(
  async (app: FastifyInstance, { domains }: { domains: ShortDomains }) => {
    app.addHook('onRequest', (request, _reply, done) => {
      if (domains.isSingle || domains.ofHost(request.host) === domains.first) return done();
      if (request.routeOptions.config.endpoint?.answersLoopback && isLoopback(request.ip)) {
        return done();
      }
      throw new ServiceError('not_found', 'There is nothing at this address on this domain.');
    });
  },
);

/** Also in IPv6 addresses that hold an IPv4 address. */
const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

function isLoopback(ip: string): boolean {
  const version = isIP(ip);
  return version !== 0 && LOOPBACK.check(ip, version === 4 ? 'ipv4' : 'ipv6');
}
