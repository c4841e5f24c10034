import { decideAdd } from '../../decide/add-link.ts';
import { hasRoom } from '../../decide/quota.ts';
import type { AddLinkOutcome, Link, NewLink } from '../../link.ts';
import { toAccountJson } from '../../records/account-json.ts';
import { toLinkJson } from '../../records/link-json.ts';
import { LINE_OVERHEAD_BYTES } from '../files/checked-line.ts';
import type { State } from '../memory/state.ts';
import { assertAuthorized } from './authorize.ts';
import { type ChangeContext, commitChange, type Undecided } from './context.ts';

/** See `Store.addLink`. */
export function tryToAdd(
  context: ChangeContext,
  newLink: NewLink,
): AddLinkOutcome | Promise<AddLinkOutcome> | Undecided {
  const { state, reserved } = context;
  const { idempotency, quota } = newLink;
  const { accountId, created, importKey } = newLink.link;
  const accountDecided = reserved.lockDecided(accountId);
  if (accountDecided) return { decided: accountDecided };
  assertAuthorized(state, accountId, newLink.by);
  if (state.accounts.isDeleted(accountId)) return { kind: 'account_deleted' };
  if (idempotency) {
    const decided = reserved.keyDecided(idempotency.keyHash);
    if (decided) return { decided };
    const replay = state.replay(idempotency.keyHash, created);
    if (replay) {
      return replay.bodyHash === idempotency.bodyHash
        ? { kind: 'replayed', replay }
        : { kind: 'mismatch' };
    }
    // A retry that arrives late must not bring back a link that was erased.
    if (state.isSpent(idempotency.keyHash, created)) return { kind: 'mismatch' };
  }
  const counts = state.accounts.links(accountId, created);
  const used = importKey === null ? counts.month : counts.imported;
  const stateOf = (alias: string) => state.aliasState(alias, accountId);
  const alias = firstAvailable(newLink.aliases, state, accountId);
  if (alias === undefined) return { kind: 'alias_taken' };
  const decision = decideAdd(newLink, { alias, stateOf, used });
  if (decision.kind === 'quota_exceeded') return decision;
  const cost = decision.kind === 'add' ? decision.cost : 1;
  const quotaOf = quotaKey(newLink.link);
  if (!hasRoom({ used: used + reserved.pendingCost(quotaOf), max: quota }, cost)) {
    return { decided: reserved.costDecided(quotaOf) };
  }
  if (decision.kind !== 'add') return decision;
  const { furtherAliases } = decision;
  // Waits instead of skipping one: a pending edit that takes it may release an alias that was skipped.
  for (const each of [alias, ...furtherAliases]) {
    const decided = reserved.aliasDecided(each);
    if (decided) return { decided };
  }
  return add(context, { ...newLink.link, alias, furtherAliases }, newLink, cost);
}

/** What a call that counts against the same quota waits for. No id has a space. */
function quotaKey({ accountId, importKey }: Pick<Link, 'accountId' | 'importKey'>): string {
  return importKey === null ? accountId : `${accountId} imports`;
}

/** If there is none, any alias: the quota is checked first. */
function firstAvailable(
  aliases: Iterable<string>,
  state: State,
  accountId: string,
): string | undefined {
  let last: string | undefined;
  for (const alias of aliases) {
    if (state.aliasState(alias, accountId) !== 'taken') return alias;
    last = alias;
  }
  return last;
}

function add(
  context: ChangeContext,
  link: Link,
  { newAccount, idempotency }: NewLink,
  cost: number,
): Promise<AddLinkOutcome> {
  const { state } = context;
  const { accountId, importKey } = link;
  const aliases = [link.alias, ...link.furtherAliases];
  const linkJson = toLinkJson(link);
  const json = JSON.stringify(linkJson);
  const taken = aliases.filter((alias) => state.reserved.ownerOf(alias) !== undefined);
  // The line of a link counts as one.
  const use = cost === 1 ? undefined : { accountId, count: cost - 1 };
  const accountText = newAccount ? `"account":${JSON.stringify(toAccountJson(newAccount))},` : '';
  const keyText = idempotency ? `"idempotency":${JSON.stringify(idempotency)},` : '';
  const takenText = taken.length > 0 ? `"taken":${JSON.stringify(taken)},` : '';
  const useText = use ? `"quotaUse":${JSON.stringify(use)},` : '';
  // The link is the last member, because its text is cut out of the line on opening.
  const members = `${accountText}${keyText}${takenText}${useText}"link":${json}`;
  const retainedBytes = members.length - keyText.length - takenText.length + LINE_OVERHEAD_BYTES;
  const reservation = {
    aliases,
    quota: { of: quotaKey({ accountId, importKey }), cost },
    keyHash: idempotency?.keyHash,
  };
  return commitChange(context, reservation, { members, retainedBytes }, () => {
    for (const alias of taken) state.reserved.delete(alias);
    if (use) state.accounts.countUse(use);
    const usedInMonth = state.add(linkJson, json, newAccount, idempotency);
    return { kind: 'added', link, usedInMonth };
  });
}
