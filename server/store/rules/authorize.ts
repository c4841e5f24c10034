import { ServiceError } from '../../lib/service-error.ts';
import type { Access, Account, Authorization, Token } from '../account.ts';
import { blockKey } from '../records.ts';
import type { Change, Needs } from './change.ts';

/** What is known when the change is carried out, with the account locked. */
type AuthorizationFacts = {
  /** The token that the authorization names; undefined if it was revoked, or never existed. */
  token: Pick<Token, 'accountId' | 'scope'> | undefined;
  /** The account that is changed; undefined if it is new, or was deleted. */
  account: Pick<Account, 'id' | 'suspended'> | undefined;
  /** The block of this account. */
  block: { reason: string } | undefined;
};

/**
 * Whether a call may do what it wants: the one rule, for the first check of a request, the check when its
 * body is complete, and the change itself. An administrator can suspend an account, or block it with its
 * links. Either way, neither its tokens nor its owner can do anything.
 *
 * @returns `invalid_token`, `insufficient_scope` or `account_suspended`; undefined if it may
 */
export function authorize(
  by: Authorization,
  { token, account, block }: AuthorizationFacts,
): ServiceError | undefined {
  if (by.kind === 'administrator' || by.kind === 'anonymous') return undefined;
  if (by.kind === 'token') {
    if (!token || token.accountId !== account?.id) return invalidToken();
    if (!allows(token, by.access)) return insufficientScope(token, by.access);
  }
  const reason = account?.suspended?.reason ?? block?.reason;
  return reason === undefined ? undefined : accountSuspended(reason);
}

function allows({ scope }: Pick<Token, 'scope'>, access: Access): boolean {
  return access === 'any_token' || scope === 'all' || scope === access;
}

export function invalidToken(): ServiceError {
  return new ServiceError(
    'invalid_token',
    'The token in the Authorization header is invalid. Send "Bearer <token>", or omit the header to create an anonymous account.',
  );
}

function insufficientScope({ scope }: Pick<Token, 'scope'>, access: Access): ServiceError {
  return new ServiceError(
    'insufficient_scope',
    access === 'all'
      ? `This requires a token with the scope "all". The scope of this token is "${scope}".`
      : `This requires a token with the scope "all" or "${access}". The scope of this token is "${scope}".`,
  );
}

function accountSuspended(reason: string): ServiceError {
  return new ServiceError(
    'account_suspended',
    `The operator of this server has suspended this account (${reason}). Contact them to get it back.`,
  );
}

/**
 * Returns a change of an account and what belongs to it. Deciding throws the `ServiceError` of `authorize` if it is
 * not allowed then.
 */
export function authorized<T>(
  by: Authorization,
  accountId: string,
  needs: () => Needs,
  decide: Change<T>['decide'],
): Change<T> {
  const block = blockKey({ kind: 'account', value: accountId });
  return {
    needs: () => {
      const { tokensOf = [], blocks = [], ...rest } = needs();
      const needsBlock = by.kind === 'token' || by.kind === 'identity';
      return {
        ...rest,
        accounts: [accountId],
        tokensOf: by.kind === 'token' ? [accountId] : tokensOf,
        blocks: needsBlock ? [...blocks, block] : blocks,
      };
    },
    decide: (facts) => {
      const error = authorize(by, {
        token: by.kind === 'token' ? facts.get('token', by.tokenHash) : undefined,
        account: facts.get('account', accountId),
        block: facts.get('block', block),
      });
      if (error) throw error;
      return decide(facts);
    },
  };
}
