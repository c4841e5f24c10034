import type { IncomingMessage } from 'node:http';
import { compile } from '@fastify/proxy-addr';
import type { FastifyRequest } from 'fastify';
import type { Settings } from '../../config.ts';
import type { Domains, PublicAddress } from '../../domains/short-domains.ts';
import { ServiceError } from '../../lib/service-error.ts';

type ReadIdentityDependencies = {
  settings: Pick<Settings, 'identityHeader' | 'trustProxy'>;
  domains: Domains;
};

/**
 * Who the proxy in front of Curt says the sender is; undefined if it does not say.
 *
 * @throws ServiceError `cross_site` for any other page than Curt's own, `not_found`
 */
export type ReadIdentity = (request: FastifyRequest) => string | undefined;

/**
 * A browser proves who somebody is with each request to the proxy, whatever page sends it. So only
 * Curt's own pages may send it: neither other sites nor extensions, nor the origins in `CORS_ORIGINS`.
 */
export function createReadIdentity(dependencies: ReadIdentityDependencies): ReadIdentity {
  const { identityHeader, trustProxy } = dependencies.settings;
  const readHeader = createReadIdentityHeader(identityHeader, trustProxy);
  return (request) => {
    const { publicAddress } = dependencies.domains;
    if (!isSameOrigin(request, publicAddress)) {
      throw new ServiceError('cross_site', 'Only pages of this server can send this request.');
    }
    if (!isSpelledOut(request)) {
      throw new ServiceError('not_found', 'There is no API endpoint at this address.');
    }
    const identity = readHeader(request.raw);
    // The owner of a domain can let it lead to this server, and is the same origin then.
    const hosts = [request.headers.host, request.host];
    if (identity !== undefined && !hosts.every((host) => publicAddress.isNamedBy(host))) {
      throw new ServiceError(
        'cross_site',
        `Single sign-on works at ${publicAddress.baseUrl} only. Open this address. The proxy must pass on the Host header.`,
      );
    }
    return identity;
  };
}

/**
 * Whether the path is written as the route, and not as `/api/%69dentity` or `//api/identity`. A proxy that protects paths by
 * their text would let that through, with the client's own header.
 */
function isSpelledOut({ originalUrl, routeOptions }: FastifyRequest): boolean {
  return originalUrl.split('?', 1)[0] === routeOptions.url;
}

/**
 * Browsers send `Sec-Fetch-Site` to HTTPS origins, and `Origin` with every POST. A request without
 * either is a GET whose response no other page can read.
 */
function isSameOrigin({ method, headers }: FastifyRequest, publicAddress: PublicAddress): boolean {
  const { origin, 'sec-fetch-site': site } = headers;
  if (origin === publicAddress.baseUrl) return true;
  if (site === 'same-origin') {
    return origin === undefined || publicAddress.isNamedBy(origin.replace(/^https?:\/\//, ''));
  }
  return method === 'GET' && origin === undefined && (site === undefined || site === 'none');
}

/** @throws ServiceError `identity_required` */
export function requireIdentity(identity: string | undefined): string {
  if (identity !== undefined) return identity;
  throw new ServiceError(
    'identity_required',
    'This requires single sign-on, and no proxy in TRUST_PROXY says in IDENTITY_HEADER who you are.',
  );
}

/** @returns who a trusted proxy says the sender is; undefined if none says so */
type ReadIdentityHeader = (request: IncomingMessage) => string | undefined;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Returns a function for the person who sends a request. Clients could send the header, too, so it is
 * believed only from proxies in `TRUST_PROXY`. If it is there twice, a proxy passed on the client's own
 * header and added another one: nobody knows which is which, so neither is believed.
 *
 * @param header in lower case; undefined if there is none
 */
function createReadIdentityHeader(
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
    return decode(value) || undefined;
  };
}

/** Node.js reads headers as Latin-1. Proxies send names in UTF-8. */
function decode(value: string): string {
  try {
    return utf8.decode(Buffer.from(value, 'latin1'));
  } catch {
    return value;
  }
}
