import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import { hashToken, readBearerToken } from '../../accounts/tokens.ts';
import type { Service } from '../../dependencies.ts';
import { type ClientAddress, clientAddress } from '../../limits/client-ip.ts';
import type { Account, Token, TokenOwner } from '../../store/account.ts';
import { invalidToken } from '../../store/decide/authorize.ts';

/** The sender of a request: anonymous, an account, or someone with an invalid Authorization header. */
export type Caller = { address: ClientAddress } & (
  | { kind: 'anonymous' }
  | { kind: 'account'; account: Account; token: string; tokenInfo: Token }
  | { kind: 'rejected' }
);

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller;
  }
}

/**
 * Identifies the caller before the rate limit counts the request. It does not reject invalid tokens:
 * such a request first counts against its address, and fails later (`assertValidToken`).
 */
export const identifyCaller = fp(
  async (app: FastifyInstance, { service }: { service: Service }) => {
    app.decorateRequest('caller');
    app.addHook('onRequest', (request, _reply, done) => {
      const header = request.headers.authorization;
      const address = clientAddress(request);
      if (header === undefined) {
        request.caller = { kind: 'anonymous', address };
        return done();
      }
      const token = readBearerToken(header);
      const found = token === null ? undefined : service.store.findToken(hashToken(token));
      const identify = (owner: TokenOwner | undefined) => {
        request.caller =
          owner && token !== null
            ? { kind: 'account', account: owner.account, token, tokenInfo: owner.token, address }
            : { kind: 'rejected', address };
        done();
      };
      // A store that has the account at hand costs no promise.
      if (found instanceof Promise) found.then(identify, done);
      else identify(found);
    });
  },
);

/**
 * Whom a limit counts: the account, so that an office behind one address shares nothing, else the
 * address. No account's id looks like an address: it has neither dots nor colons.
 */
export function clientKey(caller: Caller): string {
  return caller.kind === 'account' ? caller.account.id : caller.address.client;
}

/** @throws ServiceError `invalid_token`; never falls back to anonymous, or the account would lose the link */
export function assertValidToken(
  caller: Caller,
): asserts caller is Exclude<Caller, { kind: 'rejected' }> {
  if (caller.kind === 'rejected') throw invalidToken();
}
