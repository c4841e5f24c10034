import type { IncomingMessage } from 'node:http';
import { compile } from '@fastify/proxy-addr';

/** Some proxies send it for addresses that they do not know. */
const NO_COUNTRY = 'XX';

/** @returns two upper-case letters, or undefined if no trusted proxy says so */
export type ReadCountry = (
  request: Pick<IncomingMessage, 'headers' | 'socket'>,
) => string | undefined;

/**
 * Returns a function for the country of a request. Clients could send the header, too, so it is believed
 * only from proxies in `TRUST_PROXY`.
 *
 * @param header in lower case; undefined if there is none
 */
export function createReadCountry(header: string | undefined, trustProxy: string[]): ReadCountry {
  if (header === undefined || trustProxy.length === 0) return () => undefined;
  const trusts = compile(trustProxy);
  return ({ headers, socket }) => {
    const value = headers[header];
    if (typeof value !== 'string' || !trusts(socket.remoteAddress ?? '', 0)) return undefined;
    const country = value.trim().toUpperCase();
    return /^[A-Z]{2}$/.test(country) && country !== NO_COUNTRY ? country : undefined;
  };
}
