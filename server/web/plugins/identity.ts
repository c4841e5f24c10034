import type { FastifyRequest } from 'fastify';
import type { Settings } from '../../config.ts';
import { ServiceError } from '../../lib/service-error.ts';
import type { ShortDomain } from '../../lib/short-domain.ts';
import { createReadIdentityHeader } from '../http/identity-header.ts';

type ReadIdentityDependencies = {
  settings: Pick<Settings, 'identityHeader' | 'trustProxy'>;
  shortDomain: () => ShortDomain;
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
    const shortDomain = dependencies.shortDomain();
    if (!isSameOrigin(request, shortDomain)) {
      throw new ServiceError('cross_site', 'Only pages of this server can send this request.');
    }
    if (!isSpelledOut(request)) {
      throw new ServiceError('not_found', 'There is no API endpoint at this address.');
    }
    const identity = readHeader(request.raw);
    // The owner of a domain can let it lead to this server, and is the same origin then.
    const hosts = [request.headers.host, request.host];
    if (identity !== undefined && !hosts.every((host) => shortDomain.isNamedBy(host))) {
      throw new ServiceError(
        'cross_site',
        `Single sign-on works at ${shortDomain.baseUrl} only. Open this address. The proxy must pass on the Host header.`,
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
function isSameOrigin({ method, headers }: FastifyRequest, shortDomain: ShortDomain): boolean {
  const { origin, 'sec-fetch-site': site } = headers;
  if (origin === shortDomain.baseUrl) return true;
  if (site === 'same-origin') {
    return origin === undefined || shortDomain.isNamedBy(origin.replace(/^https?:\/\//, ''));
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
