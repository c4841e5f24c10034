import type { IncomingMessage } from 'node:http';
import { compile } from '@fastify/proxy-addr';

/** @returns who a trusted proxy says the sender is; undefined if none says so */
export type ReadIdentityHeader = (request: IncomingMessage) => string | undefined;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Returns a function for the person who sends a request. Clients could send the header, too, so it is
 * believed only from proxies in `TRUST_PROXY`. If it is there twice, a proxy passed on the client's own
 * header and added another one: nobody knows which is which, so neither is believed.
 *
 * @param header in lower case; undefined if there is none
 */
export function createReadIdentityHeader(
  header: string | undefined,
  trustProxy: string[],
): ReadIdentityHeader {
  if (header === undefined || trustProxy.length === 0) return () => undefined;
  const trusts = compile(trustProxy);
  return ({ rawHeaders, socket }) => {
    if (!trusts(socket.remoteAddress ?? '', 0)) return undefined;
    const values = rawHeaders.filter((_, index) => {
      return index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === header;
    });
    const [value = '', ...others] = values;
    if (others.length > 0) return undefined;
    // Nothing else is removed or changed: two names that differ are two people.
    return trimSpaces(decode(value)) || undefined;
  };
}

/** Without spaces and tabs at both ends, which HTTP allows around a value. */
function trimSpaces(value: string): string {
  const isSpace = (index: number) => value[index] === ' ' || value[index] === '\t';
  let [start, end] = [0, value.length];
  while (isSpace(start)) start++;
  while (end > start && isSpace(end - 1)) end--;
  return value.slice(start, end);
}

/** Node.js reads headers as Latin-1. Proxies send names in UTF-8. */
function decode(value: string): string {
  try {
    return utf8.decode(Buffer.from(value, 'latin1'));
  } catch {
    return value;
  }
}
