import { TOKENS_MAX } from '../../../shared/bounds.ts';
import { DAY_MS } from '../../lib/time.ts';
import type { AddTokenOutcome, RedeemOutcome, Redemption, SignInCode, Token } from '../account.ts';
import { blockKey, type StoreRecord } from '../records.ts';
import { authorized } from './authorize.ts';
import { type Change, type Facts, unchanged } from './change.ts';

/** Codes of an account that can be open at a time. Beyond it, the oldest one ends. */
const CODES_MAX = 20;

/** The tokens of an account that somebody can send, oldest first. */
export function tokensOf(facts: Pick<Facts, 'tokens'>, accountId: string): Token[] {
  return facts.tokens(accountId).filter(({ signIn }) => !signIn);
}

/** See `Store.addSignInCode`. */
export function addSignInCode({ code, by }: SignInCode): Change<AddTokenOutcome> {
  const { accountId } = code;
  return authorized(
    by,
    accountId,
    () => ({ tokensOf: [accountId] }),
    (facts) => {
      if (!facts.get('account', accountId)) return unchanged('not_found');
      const codes = facts.tokens(accountId).filter(({ signIn }) => signIn);
      const open = codes.filter(({ signIn }) => signIn && code.created < signIn.expires);
      const kept = open.slice(1 - CODES_MAX);
      const records = codes
        .filter((each) => !kept.includes(each))
        .map(({ tokenHash }): StoreRecord => ['token', tokenHash, null]);
      return { outcome: 'added', records: [...records, ['token', code.tokenHash, code]] };
    },
  );
}

/** Whether the code was made while a clock was ahead, and would be valid for too long. */
function isAhead(code: Token, token: Token): boolean {
  return code.created > token.created + DAY_MS;
}

/** See `Store.redeemSignInCode`. */
export function redeemSignInCode({ codeHash, token }: Redemption): Change<RedeemOutcome> {
  const { accountId } = token;
  const block = blockKey({ kind: 'account', value: accountId });
  return {
    needs: () => ({ accounts: [accountId], tokensOf: [accountId], blocks: [block] }),
    decide: (facts) => {
      const code = facts.get('token', codeHash);
      const account = facts.get('account', accountId);
      const isOpen = code?.signIn && token.created < code.signIn.expires && !isAhead(code, token);
      // Whoever made it may have been signed out since.
      const isVouchedFor = isOpen && facts.get('token', code.signIn?.by ?? '') !== undefined;
      if (!isVouchedFor || !account || account.suspended || facts.get('block', block)) {
        return unchanged('invalid');
      }
      if (tokensOf(facts, accountId).length >= TOKENS_MAX) return unchanged('too_many');
      return {
        outcome: 'redeemed',
        records: [
          ['token', codeHash, null],
          ['token', token.tokenHash, token],
        ],
      };
    },
  };
}
