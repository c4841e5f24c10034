import type { AddLinkOutcome, Link, NewLink } from '../../link.ts';
import { toAccountJson } from '../../records/account-json.ts';
import { toLinkJson } from '../../records/link-json.ts';
import { LINE_OVERHEAD_BYTES } from '../files/checked-line.ts';
import { assertAuthorized } from './authorize.ts';
import { type ChangeContext, commitChange, type Undecided } from './context.ts';

/** See `Store.addLink`. */
export function tryToAdd(
  context: ChangeContext,
  newLink: NewLink,
): AddLinkOutcome | Promise<AddLinkOutcome> | Undecided {
  const { state, reserved } = context;
  const { idempotency } = newLink;
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
  if (importKey === null) {
    const isNew = newLink.newAccount !== null;
    const used = isNew ? 0 : state.accounts.links(accountId, created).month;
    if (used >= newLink.monthlyQuota) return { kind: 'quota_exceeded' };
    if (used + reserved.links(accountId) >= newLink.monthlyQuota) {
      const decided = reserved.linksDecided(accountId);
      if (decided) return { decided };
    }
  }
  for (const alias of newLink.aliases) {
    if (!state.canUse(alias, accountId)) continue;
    // Waits instead of skipping it: a pending edit that takes it may release an alias that was skipped.
    const decided = reserved.aliasDecided(alias);
    if (decided) return { decided };
    return add(context, { ...newLink.link, alias }, newLink);
  }
  return { kind: 'alias_taken' };
}

function add(
  context: ChangeContext,
  link: Link,
  { newAccount, idempotency }: NewLink,
): Promise<AddLinkOutcome> {
  const { state } = context;
  const { alias, accountId, importKey } = link;
  const linkJson = toLinkJson(link);
  const json = JSON.stringify(linkJson);
  const accountText = newAccount ? `"account":${JSON.stringify(toAccountJson(newAccount))},` : '';
  const keyText = idempotency ? `"idempotency":${JSON.stringify(idempotency)},` : '';
  const wasReserved = state.reserved.ownerOf(alias) !== undefined;
  const takenText = wasReserved ? `"taken":${JSON.stringify(alias)},` : '';
  // The link is the last member, because its text is cut out of the line on opening.
  const members = `${accountText}${keyText}${takenText}"link":${json}`;
  const retainedBytes = members.length - keyText.length - takenText.length + LINE_OVERHEAD_BYTES;
  const taken = {
    alias,
    accountId: importKey === null ? accountId : undefined,
    keyHash: idempotency?.keyHash,
  };
  return commitChange(context, taken, { members, retainedBytes }, () => {
    if (wasReserved) state.reserved.delete(alias);
    const linksInMonth = state.add(linkJson, json, newAccount, idempotency);
    return { kind: 'added', link, linksInMonth };
  });
}
