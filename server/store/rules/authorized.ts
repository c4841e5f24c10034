import type { Authorization } from '../account.ts';
import { blockKey } from '../records.ts';
import { authorize } from './authorize.ts';
import type { Change, Needs } from './change.ts';

/**
 * A change of an account and what belongs to it. Deciding throws the `ServiceError` of `authorize` if it is
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
      const { withTokens, blocks = [], ...rest } = needs();
      const needsBlock = by.kind === 'token' || by.kind === 'identity';
      return {
        ...rest,
        accounts: [accountId],
        withTokens: withTokens || by.kind === 'token',
        blocks: needsBlock ? [...blocks, block] : blocks,
      };
    },
    decide: (view) => {
      const error = authorize(by, {
        token: by.kind === 'token' ? view.get('token', by.tokenHash) : undefined,
        account: view.get('account', accountId),
        block: view.get('block', block),
      });
      if (error) throw error;
      return decide(view);
    },
  };
}
