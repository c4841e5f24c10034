import type { FastifyReply, FastifyRequest } from 'fastify';
import { hashToken, readToken } from '../accounts/tokens.ts';
import { ServiceError } from '../lib/service-error.ts';
import { clientAddress } from '../limits/client-address.ts';
import type { EditRate } from '../limits/client-limits.ts';
import type { LinkCall } from '../links/manage/own-link.ts';
import {
  type AcceptDependencies,
  acceptToken,
  ownerOf,
  type ShortenLimit,
} from '../web/plugins/endpoint.ts';

export type KeyDependencies = AcceptDependencies & {
  edits: Pick<EditRate, 'takeRequest'>;
  limit: ShortenLimit;
};

/** What a request does: it decides which scope its key needs, and what it counts against. */
export type Action = 'create' | 'read' | 'edit';

/** Whose request it is. */
export type KeyCall = Omit<LinkCall, 'alias' | 'ifMatch'> & {
  caller: ReturnType<typeof ownerOf>;
};

/**
 * Accepts a request by the sign-in key that it has wherever its API has it. Never opens an account. Requests that
 * create count against the rate limit, also with a wrong key, and edits as edits do.
 *
 * @throws ServiceError `token_required`, `invalid_token`, `insufficient_scope`, `account_suspended`, `rate_limited`
 */
export async function acceptKey(
  request: FastifyRequest,
  reply: FastifyReply,
  key: string | undefined,
  action: Action,
  dependencies: KeyDependencies,
): Promise<KeyCall> {
  const address = clientAddress(request);
  const token = readToken(key ?? '');
  const owner = token === null ? undefined : await dependencies.store.findToken(hashToken(token));
  request.caller =
    token !== null && owner
      ? { kind: 'account', account: owner.account, token, tokenInfo: owner.token, address }
      : { kind: 'rejected', address };
  if (action === 'create') await dependencies.limit.count.call(request.server, request, reply);
  if (key === undefined) throw new ServiceError('token_required', 'Send a sign-in key.');
  const by = acceptToken(
    request.caller,
    { access: action === 'edit' ? 'all' : action, isTokenOptional: false },
    dependencies,
  );
  const caller = ownerOf(request);
  if (action === 'edit') dependencies.edits.takeRequest(caller);
  return { caller, account: caller.account, address, by };
}
