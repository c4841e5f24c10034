import type { FastifyInstance, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { hashToken, readBearerToken } from '../accounts/tokens.ts';
import type { Service } from '../core/context.ts';
import { ServiceError } from '../core/service-error.ts';
import { type ClientAddress, clientAddress } from '../http/client-ip.ts';
import type { Account, Store } from '../store/store.ts';

/** Who calls: nobody known, an account, or somebody whose Authorization header is worth nothing. */
export type Caller = { address: ClientAddress } & (
  | { kind: 'anonymous' }
  | { kind: 'account'; account: Account; token: string }
  | { kind: 'rejected' }
);

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller;
  }
}

/**
 * Finds out who calls, before the rate limit counts the call. It refuses nobody by itself: a call
 * with a bad token counts against its address, and is only then refused (`refuseBadToken`).
 */
export const identifyCaller = fp(
  async (app: FastifyInstance, { service }: { service: Service }) => {
    app.decorateRequest('caller');
    app.addHook('onRequest', (request, _reply, done) => {
      const header = request.headers.authorization;
      const address = clientAddress(request);
      request.caller =
        header === undefined
          ? { kind: 'anonymous', address }
          : identify(header, address, service.store);
      done();
    });
  },
);

function identify(header: string, address: ClientAddress, store: Store): Caller {
  const token = readBearerToken(header);
  const account = token && store.findAccount(hashToken(token));
  return account ? { kind: 'account', account, token, address } : { kind: 'rejected', address };
}

/**
 * Whom a limit counts: the account, so that an office behind one address shares nothing, else the
 * address. No account's id looks like an address: it has neither dots nor colons.
 */
export function clientKey({ caller }: FastifyRequest): string {
  return caller.kind === 'account' ? caller.account.id : caller.address.client;
}

/** @throws ServiceError `invalid_token`: never silently anonymous, or the link would be lost to the account */
export function refuseBadToken(
  caller: Caller,
): asserts caller is Exclude<Caller, { kind: 'rejected' }> {
  if (caller.kind !== 'rejected') return;
  throw new ServiceError(
    'invalid_token',
    'The Authorization header holds no token that this server knows. Send "Bearer <token>", or leave the header out to open an anonymous account.',
  );
}
