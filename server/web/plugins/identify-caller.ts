import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import type { Caller } from '../../accounts/caller.ts';
import { hashToken, readToken } from '../../accounts/tokens.ts';
import { clientAddress } from '../../limits/client-ip.ts';
import type { TokenOwner } from '../../store/account.ts';
import type { Store } from '../../store/store.ts';
import { readSentToken } from '../http/sent-token.ts';

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
  async (app: FastifyInstance, { store }: { store: Pick<Store, 'findToken'> }) => {
    app.decorateRequest('caller');
    app.addHook('onRequest', (request, _reply, done) => {
      const sent = readSentToken(request.headers);
      const address = clientAddress(request);
      if (sent === undefined) {
        request.caller = { kind: 'anonymous', address };
        return done();
      }
      const token = sent === null ? null : readToken(sent);
      const found = token === null ? undefined : store.findToken(hashToken(token));
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
