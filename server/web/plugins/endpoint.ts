import type {
  FastifyInstance,
  FastifyRequest,
  onRequestAsyncHookHandler,
  onRequestHookHandler,
  preHandlerHookHandler,
} from 'fastify';
import fp from 'fastify-plugin';
import type { z } from 'zod';
import type { ErrorCode } from '../../../shared/errors.ts';
import {
  assertAuthorized,
  assertValidToken,
  type Caller,
  clientKey,
} from '../../accounts/caller.ts';
import type { Settings } from '../../config.ts';
import { rateLimited, ServiceError } from '../../lib/service-error.ts';
import { type Clock, DAY_MS } from '../../lib/time.ts';
import type { EditRate } from '../../limits/client-limits.ts';
import { addressKey } from '../../limits/limit-counter.ts';
import type { Limits } from '../../limits/limits.ts';
import type { Access, Authorization, Token, TokenOwner } from '../../store/account.ts';
import type { Awaitable, Store } from '../../store/store.ts';
import { assertKeyPlace, type IdentifyAdmin } from './identify-caller.ts';
import { type ReadIdentity, requireIdentity } from './identity.ts';
import { assertJsonBody } from './request-bodies.ts';

export type AcceptDependencies = { store: Store; clock: Clock };

type EndpointDependencies = AcceptDependencies & {
  settings: Pick<Settings, 'anonymous'>;
  edits: Pick<EditRate, 'takeRequest'>;
};

type EnforceOptions = EndpointDependencies & {
  endpoints: DeclaredEndpoint[];
  identifyAdmin: IdentifyAdmin;
  readIdentity: ReadIdentity;
  limit: ShortenLimit;
};

/**
 * What a route under `/api` declares: who may call it, and its entry in the API reference. The schemas
 * describe; `addRoutes` parses each input once.
 */
export type Endpoint = {
  /**
   * Who may call it: anybody, the administrator, somebody whom the proxy names (`IDENTITY_HEADER`) from
   * a page of this server, any token, or the tokens that this action needs. A token with the scope `all`
   * may do everything else.
   */
  access: 'public' | 'admin' | 'identity' | Access;
  /** Whether a call without a token is allowed, too, if the settings allow it. @default false */
  isAnonymousAllowed?: boolean;
  /** Whether requests count against the rate limit, and not as edits. @default false */
  isRateLimited?: true;
  /**
   * Whether clients on this machine get it at any host, since a container's health check and a proxy beside the
   * server name whatever host they reach it by. @default false
   */
  answersLoopback?: boolean;
  tag: 'Links' | 'Statistics' | 'Account' | 'Server' | 'Administration';
  /** Names the method of generated clients. */
  operationId: string;
  summary: string;
  description?: string;
  /** The parameters in the path, by name. */
  params?: z.ZodObject;
  query?: z.ZodObject;
  headers?: z.ZodObject;
  /** The JSON body. */
  body?: z.ZodType;
  /** Bodies that the server accepts, by what they do. */
  examples?: Record<string, unknown>;
  /** A body that is not JSON: its media types. */
  otherBody?: { types: string[]; description: string };
  /** The JSON body of the 200. */
  response?: z.ZodType;
  /** A 200 that is not JSON, or not always: its other media types. */
  otherResponse?: { types: string[]; description: string };
  /** Header fields of the 200, with their descriptions. */
  responseHeaders?: Record<string, string>;
  /** Codes other than those that follow from the above. */
  errors?: ErrorCode[];
};

export type DeclaredEndpoint = {
  method: string;
  /** Such as `/api/links/:alias`. */
  url: string;
  isTokenOptional: boolean;
  endpoint: Endpoint;
};

declare module 'fastify' {
  interface FastifyContextConfig {
    endpoint?: Endpoint;
  }
  interface FastifyRequest {
    /** What the request was accepted by, which every change is checked by again. */
    authorization: Authorization;
  }
}

/**
 * Collects the endpoints that routes declare, for the API reference.
 *
 * Counts requests that change something, and enforces what routes declare in `config: { endpoint }`: the token, its scope, and a JSON body. Runs
 * after the rate limit has counted the request and before the body is read. Tokens are checked again when
 * the body is complete: a client decides how long that takes.
 *
 * @throws ServiceError `invalid_token`, `token_required`, `insufficient_scope`, `account_suspended`,
 * `rate_limited`, `cross_site`, `identity_required`, `unsupported_media_type`
 */
export const enforceEndpoints = fp(
  async (
    app: FastifyInstance,
    { endpoints, identifyAdmin, readIdentity, limit, ...dependencies }: EnforceOptions,
  ) => {
    app.decorateRequest('authorization');

    const checkAgain: preHandlerHookHandler = (request, _reply, done) => {
      const { authorization: by, caller } = request;
      if (by.kind !== 'token' || caller.kind !== 'account') return done();
      const check = (owner: TokenOwner | undefined) => {
        assertAuthorized(by, owner ?? {}, dependencies.store);
        if (owner) request.caller = { ...caller, account: owner.account, tokenInfo: owner.token };
      };
      const found = dependencies.store.findToken(by.tokenHash);
      if (found instanceof Promise) {
        found.then(check).then(() => done(), done);
      } else {
        check(found);
        done();
      }
    };

    const countEdit: onRequestHookHandler = ({ caller }, _reply, done) => {
      if (caller.kind === 'account') dependencies.edits.takeRequest(caller);
      done();
    };

    app.addHook('onRoute', (route) => {
      const endpoint = route.config?.endpoint;
      if (!endpoint) throw new Error(`${route.url} does not declare who may call it`);
      const isTokenOptional =
        endpoint.isAnonymousAllowed === true && dependencies.settings.anonymous;
      for (const method of [route.method].flat()) {
        if (method === 'HEAD') continue;
        endpoints.push({ method, url: route.url, isTokenOptional, endpoint });
      }
      const needsBody = endpoint.body !== undefined;
      const accept = (request: FastifyRequest): Awaitable<Authorization> => {
        const { access } = endpoint;
        if (needsToken(access)) assertKeyPlace(request.headers);
        switch (access) {
          case 'public':
            return { kind: 'anonymous' };
          case 'admin':
            return identifyAdmin(request);
          case 'identity':
            requireIdentity(readIdentity(request));
            return { kind: 'identity' };
          default:
            return acceptToken(request.caller, { access, isTokenOptional }, dependencies);
        }
      };
      route.preParsing = [
        (request, _reply, _payload, done) => {
          const proceed = (by: Authorization) => {
            request.authorization = by;
            if (needsBody) assertJsonBody(request.headers);
          };
          const accepted = accept(request);
          if (accepted instanceof Promise) {
            accepted.then(proceed).then(() => done(), done);
          } else {
            proceed(accepted);
            done();
          }
        },
        ...[route.preParsing ?? []].flat(),
      ];
      // Fastify reads no body of GET and HEAD.
      if (!route.method.includes('GET')) {
        route.preHandler = [checkAgain, ...[route.preHandler ?? []].flat()];
        const count = endpoint.isRateLimited ? limit.count : countEdit;
        route.onRequest = [route.onRequest ?? [], count].flat();
      }
    });
  },
);

function needsToken(access: Endpoint['access']): boolean {
  return access !== 'public' && access !== 'identity';
}

/** Stores that a token is used, once a day, so that it costs no write per call. */
function markUsed(token: Token, { store, clock }: AcceptDependencies): void {
  const { lastUsedOn } = token;
  const now = clock();
  if (lastUsedOn === null || now < lastUsedOn || now >= lastUsedOn + DAY_MS) {
    store.markTokenUsed(token, now);
  }
}

/** Returns the account that calls; only for routes that require a token. */
export function ownerOf({ caller }: FastifyRequest): Extract<Caller, { kind: 'account' }> {
  if (caller.kind !== 'account') throw new Error('this route does not require a token');
  return caller;
}

/** @throws ServiceError `token_required`, and see `authorize` */
export function acceptToken(
  caller: Caller,
  { access, isTokenOptional }: { access: Access; isTokenOptional: boolean },
  dependencies: AcceptDependencies,
): Authorization {
  assertValidToken(caller);
  if (caller.kind === 'anonymous') {
    if (isTokenOptional) return { kind: 'anonymous' };
    throw new ServiceError(
      'token_required',
      'This requires an account. Send its token: "Authorization: Bearer <token>".',
    );
  }
  const { account, tokenInfo: token } = caller;
  const by: Authorization = { kind: 'token', tokenHash: token.tokenHash, access };
  assertAuthorized(by, { account, token }, dependencies.store);
  markUsed(token, dependencies);
  return by;
}

/** Several people or tokens can share one address, so its limit is ten times as high. */
const ADDRESS_FACTOR = 10;

export type ShortenLimit = ReturnType<typeof createShortenLimit>;

/**
 * Creates the rate limit, with the same counters for all routes that shorten.
 *
 * @see docs/settings.md, "Limits"
 */
export function createShortenLimit(limits: Limits) {
  const max = limits.maxOf('shorten');
  const limit = limits.exact('shorten');
  const ownKey = (caller: Caller) => `1*${clientKey(caller)}`;
  /** The address, and the account or client. Without a token, networks have multiples of the limit of a /64. */
  const keyOf = (caller: Caller) => {
    const wide = addressKey(caller.address, { factor: ADDRESS_FACTOR });
    return `${wide} ${caller.kind === 'account' ? ownKey(caller) : addressKey(caller.address)}`;
  };

  const count: onRequestAsyncHookHandler = async ({ caller }, reply) => {
    const { isExceeded, remaining, ttlInSeconds } = await limit.take(keyOf(caller));
    const isOwn = !isExceeded || (await limit.read(ownKey(caller))).remaining === 0;
    const reached = isOwn ? max : max * ADDRESS_FACTOR;
    reply.headers({
      'ratelimit-limit': reached,
      'ratelimit-remaining': remaining,
      'ratelimit-reset': ttlInSeconds,
    });
    if (!isExceeded) return;
    const whose = isOwn ? '' : ' from this address';
    throw rateLimited(`More than ${reached} requests per minute${whose}.`, ttlInSeconds);
  };

  return {
    max,
    /** A hook that counts a request, or rejects it. */
    count,
    /** The state of the account's or client's own window, without counting. */
    read: (caller: Caller) => limit.read(ownKey(caller)),
  };
}
