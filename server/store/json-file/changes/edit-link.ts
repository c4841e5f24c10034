import { decideEdit } from '../../decide/edit-link.ts';
import type { EditLinkOutcome, Link, LinkEdit } from '../../link.ts';
import { aliasesOf } from '../../records/edited-link.ts';
import { toLinkJson } from '../../records/link-json.ts';
import { LINE_OVERHEAD_BYTES } from '../files/checked-line.ts';
import type { FoundLink } from '../memory/link-table.ts';
import { assertAuthorized } from './authorize.ts';
import { type ChangeContext, commitChange, type Undecided } from './context.ts';

/** See `Store.editLink`. Edits of one link wait for each other, because each writes the whole link. */
export function tryToEdit(
  context: ChangeContext,
  edit: LinkEdit,
): EditLinkOutcome | Promise<EditLinkOutcome> | Undecided {
  const { state, reserved } = context;
  const { linkId, accountId, by } = edit;
  const decided = reserved.lockDecided(linkId) ?? reserved.lockDecided(accountId);
  if (decided) return { decided };
  assertAuthorized(state, accountId, by);
  const found = state.readLink(linkId);
  const isBlocked = state.blocks.link.has(linkId);
  const decision = decideEdit(edit, { before: found?.link, isBlocked });
  if (decision.kind !== 'edit') return decision;
  const { link, newAlias } = decision;
  if (newAlias !== undefined) {
    if (!state.canUse(newAlias, accountId)) return { kind: 'alias_taken' };
    const aliasDecided = reserved.aliasDecided(newAlias);
    if (aliasDecided) return { decided: aliasDecided };
  }
  const { number, link: before } = found as FoundLink;
  const released = aliasesOf(before).filter((alias) => !aliasesOf(link).includes(alias));
  return write(context, number, link, newAlias, released);
}

/**
 * @param newAlias if the link had not had it before
 * @param released aliases that the link does not have any more
 */
function write(
  context: ChangeContext,
  number: number,
  link: Link,
  newAlias: string | undefined,
  released: string[],
): Promise<EditLinkOutcome> {
  const { state, clock, countChange } = context;
  const { accountId } = link;
  // Hits are stored in separate lines.
  const linkJson = toLinkJson({ ...link, hits: 0 });
  const json = JSON.stringify(linkJson);
  const wasReserved = newAlias !== undefined && state.reserved.ownerOf(newAlias) !== undefined;
  const takenText = wasReserved ? `"taken":${JSON.stringify(newAlias)},` : '';
  const reservedJson = JSON.stringify({ accountId, aliases: released });
  const reservedText = released.length > 0 ? `"reserved":${reservedJson},` : '';
  const members = `${takenText}${reservedText}"edit":${json}`;
  const lineBytes = Buffer.byteLength(members) + LINE_OVERHEAD_BYTES;
  const retainedBytes = lineBytes - state.links.lineBytes(number);
  const taken = { alias: newAlias, lockId: link.id };
  return commitChange(context, taken, { members, retainedBytes }, () => {
    if (wasReserved) state.reserved.delete(newAlias);
    state.edit(number, linkJson, json, clock());
    for (const alias of released) state.reserved.add(alias, accountId);
    countChange();
    return { kind: 'edited', link };
  });
}
