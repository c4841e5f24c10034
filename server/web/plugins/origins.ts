import { BlockList, isIP } from 'node:net';
import cors from '@fastify/cors';
import type { FastifyInstance, FastifyRequest, onRequestHookHandler } from 'fastify';
import fp from 'fastify-plugin';
import type { Domains } from '../../domains/short-domains.ts';
import { ServiceError } from '../../lib/service-error.ts';

/** As in the setting `CORS_ORIGINS`. */
type AllowedOrigins = readonly (string | RegExp)[];

const EXTENSION_ORIGIN = /^(chrome|moz)-extension:\/\//;
const API_METHODS = ['GET', 'POST', 'PATCH', 'DELETE'];
const PREFLIGHT_SECONDS = 86_400;
const EXPOSED_HEADERS = [
  'Content-Disposition',
  'ETag',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Retry-After',
  'X-Quota-Limit',
  'X-Quota-Remaining',
  'X-Quota-Reset',
].join(', ');

/** Whether pages of this origin may call the API: extensions, and the origins in `CORS_ORIGINS`. */
export function isAllowedOrigin(origin: string, allowed: AllowedOrigins): boolean {
  return [EXTENSION_ORIGIN, ...allowed].some((one) =>
    typeof one === 'string' ? one === origin : one.test(origin),
  );
}

/**
 * Allows browser extensions and the origins in `CORS_ORIGINS` to call the API from a page. This is why
 * the extension needs no host permission.
 *
 * @see docs/api.md, "Call the API from a web page"
 */
export const apiCors = fp(
  async (
    app: FastifyInstance,
    { origins, methods = API_METHODS }: { origins: AllowedOrigins; methods?: string[] },
  ) => {
    app.addHook('onRequest', ({ headers: { origin } }, reply, done) => {
      reply.header('vary', 'Origin');
      if (origin !== undefined && isAllowedOrigin(origin, origins)) {
        reply.header('access-control-allow-origin', origin);
        reply.header('access-control-expose-headers', EXPOSED_HEADERS);
      }
      done();
    });

    await app.register(preflights, { origins, methods });
  },
);

/** Has a context of its own, since its hook would make every call cost more. */
const preflights = fp(
  async (
    preflight: FastifyInstance,
    { origins, methods }: { origins: AllowedOrigins; methods: string[] },
  ) => {
    await preflight.register(cors, {
      origin: [EXTENSION_ORIGIN, ...origins],
      methods,
      // No `allowedHeaders`: an allowed origin may send those that it asks for. Tracing adds its own.
      maxAge: PREFLIGHT_SECONDS,
      strictPreflight: false,
    });
    // The prefix itself is no path of the plugin's, and after a parameter its star is a character.
    // Its hook answers there, too.
    for (const url of ['/', '/*']) {
      preflight.options(url, { prefixTrailingSlash: 'no-slash' }, (_request, reply) =>
        reply.send(),
      );
    }
  },
  { encapsulate: true },
);

const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS'];

/**
 * Rejects unsafe requests that pages of other sites send. Must run before anything is counted, because
 * these requests would use up the visitor's limits. Only browsers send `Sec-Fetch-Site`, and pages
 * cannot set it.
 *
 * @throws ServiceError `cross_site`
 * @see docs/api.md, "Call the API from a web page"
 */
export function rejectCrossSite(
  { method, headers }: FastifyRequest,
  allowedOrigins: AllowedOrigins,
): void {
  if (headers['sec-fetch-site'] !== 'cross-site' || SAFE_METHODS.includes(method)) return;
  if (isAllowedOrigin(headers.origin ?? '', allowedOrigins)) return;
  throw new ServiceError('cross_site', 'Pages of other sites cannot send this request.');
}

/**
 * Creates a hook that rejects a form that a page of another origin sent, also one of the same site or with an
 * opaque origin: hidden forms would use up the limits of their visitors. Programs send neither header.
 *
 * @throws ServiceError `cross_site`
 */
export function onlyOwnForms(domains: Domains): onRequestHookHandler {
  return (request, _reply, done) => {
    const { baseUrl } = domains.ofHost(request.host);
    if (isOwnForm(request, baseUrl)) return done();
    const shortUrl = baseUrl + request.url.replace(/\?.*/s, '');
    throw new ServiceError('cross_site', 'Pages of other sites cannot send this form.', {
      shortUrl,
    });
  };
}

function isOwnForm({ headers }: FastifyRequest, baseUrl: string): boolean {
  const { 'sec-fetch-site': site, origin, host } = headers;
  // Without TLS, browsers send Sec-Fetch-Site to localhost only, but Origin everywhere.
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  return (
    origin === undefined ||
    origin === baseUrl ||
    (host !== undefined && URL.parse(origin)?.host === host)
  );
}

/**
 * Answers 404 on all domains but that of `BASE_URL`: their pages are of other origins than the API and the
 * dashboard, where tokens are. See `answersLoopback` for the exception.
 */
export const onlyOnBaseUrl = fp(async (app: FastifyInstance, { domains }: { domains: Domains }) => {
  app.addHook('onRequest', (request, _reply, done) => {
    if (domains.isSingle || domains.ofHost(request.host) === domains.first) return done();
    if (request.routeOptions.config.endpoint?.answersLoopback && isLoopback(request.ip)) {
      return done();
    }
    throw new ServiceError('not_found', 'There is nothing at this address on this domain.');
  });
});

/** Also in IPv6 addresses that hold an IPv4 address. */
const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

function isLoopback(ip: string): boolean {
  const version = isIP(ip);
  return version !== 0 && LOOPBACK.check(ip, version === 4 ? 'ipv4' : 'ipv6');
}
