import { type DecidedEdit, decideEdit } from '../../decide/edit-link.ts';
import { hasRoom } from '../../decide/quota.ts';
import type { EditLinkOutcome, LinkEdit } from '../../link.ts';
import { aliasesOf } from '../../records/edited-link.ts';
import { toLinkJson } from '../../records/link-json.ts';
import { monthNumber } from '../../records/month-number.ts';
import { LINE_OVERHEAD_BYTES } from '../files/checked-line.ts';
import { assertAuthorized } from './authorize.ts';
import { type ChangeContext, commitChange, type Undecided } from './context.ts';

/** See `Store.editLink`. Edits of one link wait for each other, because each writes the whole link. */
export function tryToEdit(
  context: ChangeContext,
  edit: LinkEdit,
): EditLinkOutcome | Promise<EditLinkOutcome> | Undecided {
  const { state, reserved } = context;
  const { linkId, accountId, by, quota } = edit;
  const decided = reserved.lockDecided(linkId) ?? reserved.lockDecided(accountId);
  if (decided) return { decided };
  assertAuthorized(state, accountId, by);
  const found = state.readLink(linkId);
  const used = state.accounts.links(accountId, edit.modified).month;
  const decision = decideEdit(edit, {
    before: found?.link,
    isBlocked: state.blocks.link.has(linkId),
    stateOf: (alias) => state.aliasState(alias, accountId),
    used,
  });
  if (!found || decision.kind !== 'edit') return decision as EditLinkOutcome;
  const { newAlias, cost } = decision;
  if (newAlias !== undefined) {
    const aliasDecided = reserved.aliasDecided(newAlias);
    if (aliasDecided) return { decided: aliasDecided };
    if (!hasRoom({ used: used + reserved.pendingCost(accountId), max: quota }, cost)) {
      return { decided: reserved.costDecided(accountId) };
    }
  }
  return write(context, found.number, decision);
}

function write(
  context: ChangeContext,
  number: number,
  { before, link, newAlias, cost }: DecidedEdit,
): Promise<EditLinkOutcome> {
  const { state, clock, countChange } = context;
  const { accountId, modified } = link;
  /** Aliases that the link does not have any more. */
  const released = aliasesOf(before).filter((alias) => !aliasesOf(link).includes(alias));
  // Hits are stored in separate lines.
  const linkJson = toLinkJson({ ...link, hits: 0 });
  const json = JSON.stringify(linkJson);
  const wasReserved = newAlias !== undefined && state.reserved.ownerOf(newAlias) !== undefined;
  const takenText = wasReserved ? `"taken":${JSON.stringify([newAlias])},` : '';
  const use = cost > 0 ? { accountId, month: monthNumber(modified), count: cost } : undefined;
  const useText = use ? `"quotaUse":${JSON.stringify(use)},` : '';
  const reservedJson = JSON.stringify({ accountId, aliases: released });
  const reservedText = released.length > 0 ? `"reserved":${reservedJson},` : '';
  const members = `${takenText}${useText}${reservedText}"edit":${json}`;
  const lineBytes = Buffer.byteLength(members) + LINE_OVERHEAD_BYTES;
  const retainedBytes = lineBytes - state.links.lineBytes(number);
  const taken = {
    aliases: newAlias === undefined ? [] : [newAlias],
    quota: { of: accountId, cost },
    lockId: link.id,
  };
  return commitChange(context, taken, { members, retainedBytes }, () => {
    if (wasReserved) state.reserved.delete(newAlias);
    if (use) state.accounts.countUse(use);
    state.edit(number, linkJson, json, clock());
    for (const alias of released) state.reserved.add(alias, accountId);
    countChange();
    return { kind: 'edited', link };
  });
}
