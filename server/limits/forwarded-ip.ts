import type { IncomingMessage } from 'node:http';
import { all, compile } from '@fastify/proxy-addr';

/**
 * Returns a function for the address of a request that has not reached Fastify: the same as Fastify's
 * `request.ip`.
 *
 * @param trustProxy proxies whose `X-Forwarded-For` is trusted
 * @returns undefined if the address is unknown, or if `X-Forwarded-For` is present but not trusted
 */
export function createForwardedIp(
  trustProxy: string[],
): (request: IncomingMessage) => string | undefined {
  const trusts = trusting(trustProxy);
  return (request) => {
    if (request.headers['x-forwarded-for'] === undefined) return request.socket.remoteAddress;
    const addresses = all(request, trusts);
    return addresses.length > 1 ? addresses.at(-1) : undefined;
  };
}

/** The same for the host that a client asked for: Fastify's `request.host`. */
export function createForwardedHost(
  trustProxy: string[],
): (request: IncomingMessage) => string | undefined {
  const trusts = trusting(trustProxy);
  return ({ headers, socket }) => {
    const forwarded = headers['x-forwarded-host'];
    if (!forwarded || !trusts(socket.remoteAddress ?? '', 0)) return headers.host;
    // Several headers are joined.
    return String(forwarded).split(',').at(-1)?.trim();
  };
}

function trusting(trustProxy: string[]): (address: string, hops: number) => boolean {
  return trustProxy.length > 0 ? compile(trustProxy) : () => false;
}
