import { TOKENS_MAX } from '../../../shared/bounds.ts';
import type {
  Account,
  AccountChanges,
  AccountDeletion,
  AddTokenOutcome,
  Authorization,
  NewAccount,
  NewToken,
  RevokeTokenOutcome,
  Token,
  TokenRevocation,
} from '../account.ts';
import { changeAccount, type StoreRecord } from '../records.ts';
import { authorized } from './authorize.ts';
import { type Change, unchanged } from './change.ts';
import { tokensOf } from './sign-in-codes.ts';

const nothing = () => ({});

/** See `Store.addAccount`. */
export function addAccount(newAccount: NewAccount): Change<Account> {
  const { tokenHash: _, ...account } = newAccount;
  const { identityHash = '' } = account;
  return {
    needs: () => ({ identities: identityHash ? [identityHash] : [] }),
    decide: (facts) => {
      const known = facts.accountByIdentity(identityHash);
      if (known) return unchanged(known);
      return { outcome: account, records: recordsOf(newAccount) };
    },
  };
}

/** Returns what is written of a new account. */
export function recordsOf({ tokenHash, ...account }: NewAccount): StoreRecord[] {
  const { id, created } = account;
  const records: StoreRecord[] = [['account', id, account]];
  if (tokenHash !== undefined) {
    const token: Token = {
      id,
      accountId: id,
      tokenHash,
      name: '',
      scope: 'all',
      created,
      lastUsedOn: null,
    };
    records.push(['token', tokenHash, token]);
  }
  return records;
}

/** See `Administration.editAccount`. */
export function editAccount(
  id: string,
  changes: AccountChanges,
  by: Authorization = { kind: 'administrator' },
): Change<Account | undefined> {
  return authorized(by, id, nothing, (facts) => {
    const before = facts.get('account', id);
    if (!before) return unchanged(undefined);
    const account = changeAccount(before, changes);
    return { outcome: account, records: [['account', id, account]] };
  });
}

/** See `Store.deleteAccount`. */
export function deleteAccount({ accountId, by }: AccountDeletion): Change<undefined> {
  return authorized(by, accountId, nothing, (facts) => ({
    outcome: undefined,
    records: facts.isDeleted(accountId) ? [] : [['account', accountId, null]],
  }));
}

/** See `Store.addToken`. */
export function addToken({ token, by, max = TOKENS_MAX }: NewToken): Change<AddTokenOutcome> {
  const { accountId, tokenHash } = token;
  return authorized(
    by,
    accountId,
    () => ({ tokensOf: [accountId] }),
    (facts) => {
      if (!facts.get('account', accountId)) return unchanged('not_found');
      if (tokensOf(facts, accountId).length >= max) return unchanged('too_many');
      return { outcome: 'added', records: [['token', tokenHash, token]] };
    },
  );
}

/** See `Store.revokeToken`. */
export function revokeToken({
  id,
  accountId,
  by,
  evenIfLast,
}: TokenRevocation): Change<RevokeTokenOutcome> {
  return authorized(
    by,
    accountId,
    () => ({ tokensOf: [accountId] }),
    (facts) => {
      const all = tokensOf(facts, accountId);
      const token = all.find((each) => each.id === id);
      if (!token) return unchanged('not_found');
      const isLast = !all.some((each) => each !== token && each.scope === 'all');
      if (!evenIfLast && token.scope === 'all' && isLast) return unchanged('last_token');
      return { outcome: 'revoked', records: [['token', token.tokenHash, null]] };
    },
  );
}
