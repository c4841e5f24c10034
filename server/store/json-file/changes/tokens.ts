import { TOKENS_MAX } from '../../../../shared/limits.ts';
import type {
  AddTokenOutcome,
  NewToken,
  RevokeTokenOutcome,
  TokenRevocation,
} from '../../account.ts';
import { toTokenJson } from '../../records/account-json.ts';
import { LINE_OVERHEAD_BYTES } from '../files/checked-line.ts';
import { assertAuthorized } from './authorize.ts';
import { type ChangeContext, commitChange, type Undecided } from './context.ts';

/** See `Store.addToken`. Changes of one account's tokens wait for each other. */
export function tryToAddToken(
  context: ChangeContext,
  { token, by, max = TOKENS_MAX }: NewToken,
): AddTokenOutcome | Promise<AddTokenOutcome> | Undecided {
  const { state, reserved } = context;
  const { accountId } = token;
  const decided = reserved.lockDecided(accountId);
  if (decided) return { decided };
  assertAuthorized(state, accountId, by);
  if (!state.accounts.has(accountId)) return 'not_found';
  if (state.listTokens(accountId).length >= max) return 'too_many';
  const json = toTokenJson(token);
  const members = `"token":${JSON.stringify(json)}`;
  const retainedBytes = Buffer.byteLength(members) + LINE_OVERHEAD_BYTES;
  return commitChange(context, { lockId: accountId }, { members, retainedBytes }, () => {
    state.tokens.add(json);
    return 'added';
  });
}

/** See `Store.revokeToken`. */
export function tryToRevokeToken(
  context: ChangeContext,
  { id, accountId, by, evenIfLast }: TokenRevocation,
): RevokeTokenOutcome | Promise<RevokeTokenOutcome> | Undecided {
  const { state, reserved } = context;
  const decided = reserved.lockDecided(accountId);
  if (decided) return { decided };
  assertAuthorized(state, accountId, by);
  const tokens = state.listTokens(accountId);
  const token = tokens.find((each) => each.id === id);
  if (!token) return 'not_found';
  const others = tokens.filter((each) => each !== token);
  if (!evenIfLast && token.scope === 'all' && !others.some(({ scope }) => scope === 'all')) {
    return 'last_token';
  }
  const members = `"revoked":${JSON.stringify({ accountId, id })}`;
  return commitChange(context, { lockId: accountId }, { members, retainedBytes: 0 }, () => {
    state.revokeToken(accountId, id);
    return 'revoked';
  });
}
