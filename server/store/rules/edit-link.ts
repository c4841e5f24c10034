import { PREVIOUS_ALIASES_MAX, RESTORABLE_MS } from '../../../shared/limits.ts';
import type { EditLinkOutcome, Link, LinkChanges, LinkEdit } from '../link.ts';
import { changedLink } from '../records/link-json.ts';
import { monthNumber } from '../records/month.ts';
import { useKey } from '../records.ts';
import { aliasesOf, aliasState, reserve } from './aliases.ts';
import { authorized } from './authorized.ts';
import { type Change, type Decision, unchanged } from './change.ts';
import { canUseDomainOf, hostsOf } from './domains.ts';
import { blockOf, needsOfLink } from './purge-link.ts';
import { countBesides, countLinks, hasRoom } from './quota.ts';
import { decideRoom, roomNeeds } from './room.ts';
import { contentBytes, hasTooLongTargets, unitsOf } from './size.ts';
import type { View } from './view.ts';

/** See `Store.editLink`. */
export function editLink(edit: LinkEdit): Change<EditLinkOutcome> {
  const { by, linkId, accountId, changes, room } = edit;
  const aliases = changes.alias === undefined ? [] : [changes.alias.toLowerCase()];
  const usedDomains = hostsOf(aliases);
  const needs = () => ({ ...needsOfLink(linkId), aliases, usedDomains, ...roomNeeds(room) });
  return authorized(by, accountId, needs, (view) => decide(view, edit));
}

function decide(
  view: View,
  { linkId, accountId, by, changes, modified, version, quota, room }: LinkEdit,
): Decision<EditLinkOutcome> {
  const before = view.get('link', linkId);
  if (before?.accountId !== accountId || isGone(before, modified)) {
    return unchanged({ kind: 'not_found' });
  }
  if (version !== undefined && version !== before.version) {
    return unchanged({ kind: 'version_mismatch', link: before });
  }
  const link = changed(before, changes, modified);
  if (view.get('block', blockOf(linkId)) && aliasTexts(link) !== aliasTexts(before)) {
    return unchanged({ kind: 'link_blocked' });
  }
  const own = aliasesOf(before);
  const isNew = !own.includes(link.alias.toLowerCase());
  if (isNew && !canUseDomainOf(view, link.alias, { accountId, by })) {
    return unchanged({ kind: 'domain_unusable' });
  }
  const state = isNew ? aliasState(view.holder(link.alias.toLowerCase()), accountId) : 'own';
  const [bytesBefore, bytes] = [contentBytes(before), contentBytes(link)];
  const isLarger = bytes > bytesBefore;
  if (isLarger && hasTooLongTargets(link)) return unchanged({ kind: 'targets_too_long' });
  const counted = decideRoom(view, room, bytes - bytesBefore);
  if (typeof counted === 'string') return unchanged({ kind: counted });
  const growth = Math.max(0, unitsOf(bytes) - unitsOf(bytesBefore));
  const cost = quota === null ? 0 : growth + (state === 'own' ? 0 : 1);
  const { month: used } = countLinks(view, accountId, modified);
  const max = quota ?? Number.POSITIVE_INFINITY;
  if (!hasRoom({ used, max }, cost)) return unchanged({ kind: 'quota_exceeded' });
  if (state === 'taken') return unchanged({ kind: 'alias_taken' });
  if (hasTooManyAliases(link, before)) return unchanged({ kind: 'too_many_aliases' });
  const left = aliasesOf(link);
  const released = own.filter((alias) => !left.includes(alias));
  return {
    outcome: { kind: 'edited', link },
    records: [
      ...countBesides(view, useKey(accountId, monthNumber(modified)), cost),
      ...counted,
      ['link', link.id, link],
      ...reserve(released, accountId),
    ],
  };
}

/** Whether the link was deleted too long ago to be restored, although it may not be erased yet. */
export function isGone({ deletedAt }: Pick<Link, 'deletedAt'>, now: number): boolean {
  return deletedAt !== null && deletedAt + RESTORABLE_MS < now;
}

/** The link with the changes of an edit. A previous alias that becomes the alias is none any more. */
function changed(before: Link, changes: LinkChanges, modified: number): Link {
  const { alias = before.alias } = changes;
  const keptAliases = changes.previousAliases?.map((each) => each.toLowerCase());
  const isNewAlias = alias !== before.alias;
  const isRenamed = alias.toLowerCase() !== before.alias.toLowerCase();
  const earlier = before.previousAliases.filter((each) => {
    const key = each.toLowerCase();
    return key !== alias.toLowerCase() && (keptAliases?.includes(key) ?? true);
  });
  return changedLink(before, {
    ...changes,
    aliasIsCustom: before.aliasIsCustom || isNewAlias,
    previousAliases: isRenamed ? [...earlier, before.alias] : earlier,
    editedAt: modified,
    version: before.version + 1,
  });
}

function aliasTexts({ alias, previousAliases }: Link): string {
  return [alias, ...previousAliases].join();
}

/** A link that has more than the limit already may keep them. */
function hasTooManyAliases(link: Link, before: Link): boolean {
  const allowed = Math.max(PREVIOUS_ALIASES_MAX, before.previousAliases.length);
  return link.previousAliases.length > allowed;
}
