import type { IncomingMessage } from 'node:http';
import { all, compile } from '@fastify/proxy-addr';

/**
 * Where a request comes from, for code ahead of Fastify: the same as its `request.ip`.
 *
 * @param trustProxy whose `X-Forwarded-For` is believed
 * @returns undefined where there is no telling, or where `X-Forwarded-For` is there and not believed
 */
export function createForwardedIp(
  trustProxy: string[],
): (request: IncomingMessage) => string | undefined {
  const trusts = trustProxy.length > 0 ? compile(trustProxy) : () => false;
  return (request) => {
    if (request.headers['x-forwarded-for'] === undefined) return request.socket.remoteAddress;
    const addresses = all(request, trusts);
    return addresses.length > 1 ? addresses.at(-1) : undefined;
  };
}
