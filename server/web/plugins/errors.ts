import type { IncomingHttpHeaders } from 'node:http';
import accepts from '@fastify/accepts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { BODY_MAX_BYTES } from '../../../shared/bounds.ts';
import type { ErrorBody } from '../../../shared/error-body.ts';
import type { ErrorCode } from '../../../shared/errors.ts';
import type { Domain, Domains } from '../../domains/short-domains.ts';
import { ServiceError } from '../../lib/service-error.ts';
import type { Traffic } from '../../metrics/traffic.ts';
import { StoreUnavailableError } from '../../store/store.ts';
import { renderErrorPage } from '../views/error-page.ts';
import { addVary } from '../views/translator.ts';
import { collectRoutes, routeErrors } from './allowed-methods.ts';

/** The HTTP status of each code. */
export const ERROR_STATUS: Record<ErrorCode, number> = {
  invalid_json: 400,
  invalid_request: 400,
  invalid_url: 400,
  blocked_url: 400,
  invalid_domain: 400,
  expires_in_past: 400,
  conflicting_expiry: 400,
  invalid_token: 401,
  token_required: 401,
  identity_required: 401,
  wrong_password: 401,
  insufficient_scope: 403,
  not_administrator: 403,
  account_suspended: 403,
  cross_site: 403,
  not_found: 404,
  code_invalid: 404,
  method_not_allowed: 405,
  alias_taken: 409,
  too_many_aliases: 409,
  too_many_tags: 409,
  too_many_tokens: 409,
  last_token: 409,
  domain_exists: 409,
  domain_in_use: 409,
  link_gone: 410,
  version_mismatch: 412,
  body_too_large: 413,
  unsupported_media_type: 415,
  expectation_failed: 417,
  idempotency_mismatch: 422,
  too_early: 425,
  rate_limited: 429,
  account_limit: 429,
  anonymous_limit: 429,
  quota_exceeded: 429,
  link_blocked: 451,
  internal: 500,
  busy: 503,
  store_unavailable: 503,
  store_full: 503,
};

const STORE_RETRY_SECONDS = 5;
const HOST = 'host';

type ErrorOptions = { traffic: Traffic; domains: Domains };

/** Turns every error into a response: JSON under `/api` and for clients that prefer it, else a page. */
export const errors = fp(async (app: FastifyInstance, { traffic, domains }: ErrorOptions) => {
  await app.register(accepts);
  app.setErrorHandler((error, request, reply) => {
    const serviceError = toServiceError(error, request);
    traffic.countError(serviceError.code);
    const url = insteadOfPage(serviceError.code, request, domains.ofHost(request.host));
    if (url !== null && isPageRequest(request)) {
      addVary(reply, 'Accept');
      return reply.header('cache-control', 'no-cache').redirect(url);
    }
    return answer(serviceError, request, reply);
  });
  const toRouteError = routeErrors(app, collectRoutes(app));
  const toNoRoute = (request: FastifyRequest) =>
    toRouteError(request, `There is nothing at this address (${request.method}).`);
  app.setNotFoundHandler((request) => {
    throw toNoRoute(request);
  });
  app.addHook('onRequest', (request, _reply, done) => {
    ignoreLongLists(request.headers);
    // Before the body is read.
    done(toProtocolError(request) ?? (request.is404 ? toNoRoute(request) : undefined));
  });
});

/** Where the domain sends visitors of unknown links, and of links that no longer work. */
function insteadOfPage(
  code: ErrorCode,
  { params, routeOptions }: FastifyRequest,
  { settings }: Domain,
): string | null {
  if (code === 'not_found') return settings.notFoundUrl;
  const { alias } = params as { alias?: string };
  // `/<alias>+` and QR codes never redirect.
  const isAboutLink = alias?.endsWith('+') || routeOptions.url?.includes('/qr.');
  return code === 'link_gone' && !isAboutLink ? settings.goneUrl : null;
}

function isPageRequest(request: FastifyRequest): boolean {
  return (request.method === 'GET' || request.method === 'HEAD') && !wantsJson(request);
}

/** Errors that HTTP requires, which Node.js would send without a body. */
function toProtocolError({ headers, raw }: FastifyRequest): ServiceError | undefined {
  // RFC 9112, section 3.2.
  if (headers.host === undefined && raw.httpVersion === '1.1') {
    return new ServiceError('invalid_request', 'The request has no Host header.');
  }
  if (hasSeveralHosts(raw.rawHeaders)) {
    return new ServiceError('invalid_request', 'The request has several Host headers.');
  }
  // RFC 9110, section 10.1.1.
  if (headers.expect !== undefined && !/^100-continue$/i.test(headers.expect)) {
    return new ServiceError(
      'expectation_failed',
      'The only supported expectation is "Expect: 100-continue".',
    );
  }
  return undefined;
}

/** Node.js keeps the first one, and a proxy may have taken another one. */
function hasSeveralHosts(rawHeaders: string[]): boolean {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (name.length === HOST.length && name.toLowerCase() === HOST) hosts++;
  }
  return hosts > 1;
}

export function answer(error: ServiceError, request: FastifyRequest, reply: FastifyReply) {
  const status = setStatus(error, reply);
  const { allow } = error.details;
  if (allow) reply.header('allow', allow.join(', '));
  // RFC 9110, section 15.5.2; some clients fail without it.
  if (status === 401 && isApi(request)) reply.header('www-authenticate', 'Bearer');
  // Fastify closes the connection, also while the client still sends, which would then lose the response.
  if (error.code === 'body_too_large') reply.removeHeader('connection');
  if (!isApi(request)) addVary(reply, 'Accept');
  if (!wantsJson(request)) return renderErrorPage(reply, error);
  return reply.header('cache-control', 'no-store').send(toErrorBody(error));
}

function setStatus({ code, details }: ServiceError, reply: FastifyReply): number {
  const status = ERROR_STATUS[code];
  reply.code(status);
  const { retryAfterSeconds } = details;
  if (retryAfterSeconds !== undefined) reply.header('retry-after', retryAfterSeconds);
  return status;
}

/**
 * Prepares the response to a form that failed: the page of the form, with what was typed and the error.
 *
 * @throws the error if the client prefers JSON, which the app's error handler sends
 */
export function toFormError(error: unknown, reply: FastifyReply, traffic: Traffic): ServiceError {
  const { request } = reply;
  if (wantsJson(request)) throw error;
  const serviceError = toServiceError(error, request);
  traffic.countError(serviceError.code);
  setStatus(serviceError, reply);
  addVary(reply, 'Accept');
  return serviceError;
}

export function toErrorBody({ message, code, details }: ServiceError): ErrorBody {
  const { issues, suggestions, current } = details;
  return {
    success: false,
    message,
    code,
    ...(issues && { issues }),
    ...(suggestions && { suggestions }),
    ...(current && { current }),
  };
}

/** Always true for the API; elsewhere only if the client prefers JSON to HTML. */
export function wantsJson(request: FastifyRequest): boolean {
  return isApi(request) || request.accepts().type(['html', 'json']) === 'json';
}

/** Every path under `/api` has a route, so this works for all spellings of the path. */
function isApi({ routeOptions: { url = '' } }: FastifyRequest): boolean {
  return url === '/api' || url.startsWith('/api/');
}

/** Returns the error to answer with. Logs those that the client did not cause. */
export function toServiceError(error: unknown, request: FastifyRequest): ServiceError {
  const serviceError = classify(error, request);
  if (serviceError.code === 'internal' || serviceError.code === 'store_unavailable') {
    request.server.log.error({ reqId: request.id, err: error }, 'request failed');
  }
  return serviceError;
}

/** Classifies errors by code, never by message. */
function classify(error: unknown, request: FastifyRequest): ServiceError {
  if (error instanceof ServiceError) return error;
  if (error instanceof StoreUnavailableError) {
    return new ServiceError(
      'store_unavailable',
      'The server cannot read or save its data right now. Try again shortly.',
      { retryAfterSeconds: STORE_RETRY_SECONDS },
    );
  }
  switch (errorCode(error)) {
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new ServiceError(
        'unsupported_media_type',
        isApi(request)
          ? 'Send the body as JSON, with the header "Content-Type: application/json".'
          : 'Send a form, with the header "Content-Type: application/x-www-form-urlencoded".',
      );
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new ServiceError(
        'body_too_large',
        `The body is larger than ${(request.routeOptions.bodyLimit ?? BODY_MAX_BYTES) / 1024} KiB.`,
      );
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new ServiceError('invalid_request', 'The body is not as long as Content-Length says.');
    default:
      if (hasBrokenOff(request, error)) {
        return new ServiceError('invalid_request', 'The request broke off before its end.');
      }
      if (isClientError(error)) {
        return new ServiceError('invalid_request', 'The request is invalid.');
      }
      return new ServiceError(
        'internal',
        `Something went wrong on the server. If it happens again, report the request ID ${request.id}.`,
      );
  }
}

/** Whether reading the body has failed because the client has closed the connection. Nobody reads the response. */
function hasBrokenOff({ raw }: FastifyRequest, error: unknown): boolean {
  if (raw.complete || !raw.destroyed) return false;
  return error === raw.errored || errorCode(error) === 'ERR_STREAM_PREMATURE_CLOSE';
}

/** Whether Fastify reports that the request is invalid, for example incomplete. */
function isClientError(error: unknown): boolean {
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined;
  return typeof status === 'number' && status >= 400 && status < 500;
}

function errorCode(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

/** Browsers send less, even with many languages. It has at most half as many entries. */
const MAX_CHARACTERS = 500;
const HEADERS = ['accept', 'accept-encoding', 'accept-language'] as const;

/**
 * Ignores longer headers, as RFC 9110 (section 12.4) allows: comparing thousands of entries would take milliseconds.
 */
function ignoreLongLists(headers: IncomingHttpHeaders): void {
  for (const name of HEADERS) {
    if ((headers[name]?.length ?? 0) > MAX_CHARACTERS) delete headers[name];
  }
}
