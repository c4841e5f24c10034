import { PREVIOUS_ALIASES_MAX, RESTORABLE_MS } from '../../../shared/bounds.ts';
import { foldTag } from '../../../shared/text.ts';
import type { MoveLinkOutcome } from '../administration.ts';
import { changedLink, hasTooLongTargets, isGone, type Link, linkBytes, unitsOf } from '../link.ts';
import type {
  EditLinkOutcome,
  LinkChanges,
  LinkEdit,
  LinkPurge,
  OwnLink,
  PurgeLinkOutcome,
} from '../link-calls.ts';
import { blockKey, type StoreRecord } from '../records.ts';
import { aliasesOf, aliasState, canUseDomainOf, hostsOf, reserve } from './aliases.ts';
import { authorized } from './authorize.ts';
import { type Change, type Decision, type Facts, type Needs, unchanged } from './change.ts';
import {
  count,
  decideRoom,
  hasRoom,
  hasTooManyTags,
  monthlyQuota,
  quotaOf,
  roomNeeds,
  usedOf,
} from './quota.ts';
import { certainTime, openDays } from './uptime.ts';

/** See `Store.editLink`. */
export function editLink(edit: LinkEdit): Change<EditLinkOutcome> {
  const { by, linkId, accountId, changes, room } = edit;
  const aliases = changes.alias === undefined ? [] : [changes.alias.toLowerCase()];
  const usedDomains = hostsOf(aliases);
  const tags = changes.tags?.map(foldTag) ?? [];
  const needs = () => ({
    ...needsOfLink(linkId),
    aliases,
    usedDomains,
    tags,
    uptime: [''],
    ...roomNeeds(room),
  });
  return authorized(by, accountId, needs, (facts) => decide(facts, edit));
}

function decide(
  facts: Facts,
  { linkId, accountId, by, changes, modified, version, quota, room }: LinkEdit,
): Decision<EditLinkOutcome> {
  const before = facts.get('link', linkId);
  const now = certainTime(openDays(facts), modified, RESTORABLE_MS);
  if (before?.accountId !== accountId || isGone(before, now)) {
    return unchanged({ kind: 'not_found' });
  }
  if (version !== undefined && version !== before.version) {
    return unchanged({ kind: 'version_mismatch', link: before });
  }
  const link = changed(before, changes, modified);
  if (facts.get('block', blockOf(linkId)) && aliasTexts(link) !== aliasTexts(before)) {
    return unchanged({ kind: 'link_blocked' });
  }
  const own = aliasesOf(before);
  const isNew = !own.includes(link.alias.toLowerCase());
  if (isNew && !canUseDomainOf(facts, link.alias, { accountId, by })) {
    return unchanged({ kind: 'domain_unusable' });
  }
  const state = isNew ? aliasState(facts.holder(link.alias.toLowerCase()), accountId) : 'own';
  const [bytesBefore, bytes] = [linkBytes(before), linkBytes(link)];
  const isLarger = bytes > bytesBefore;
  if (isLarger && hasTooLongTargets(link)) return unchanged({ kind: 'targets_too_long' });
  if (changes.tags && hasTooManyTags(facts, accountId, link.tags)) {
    return unchanged({ kind: 'too_many_tags' });
  }
  const counted = decideRoom(facts, room, bytes - bytesBefore);
  if (typeof counted === 'string') return unchanged({ kind: counted });
  const growth = Math.max(0, unitsOf(bytes) - unitsOf(bytesBefore));
  const cost = quota === null ? 0 : growth + (state === 'own' ? 0 : 1);
  const month = monthlyQuota(accountId, modified);
  const max = quota ?? Number.POSITIVE_INFINITY;
  if (!hasRoom({ used: usedOf(facts, month), max }, cost))
    return unchanged({ kind: 'quota_exceeded' });
  if (state === 'taken') return unchanged({ kind: 'alias_taken' });
  if (hasTooManyAliases(link, before)) return unchanged({ kind: 'too_many_aliases' });
  const left = aliasesOf(link);
  const released = own.filter((alias) => !left.includes(alias));
  return {
    outcome: { kind: 'edited', link },
    records: [
      ...count(facts, month, cost),
      ...counted,
      ['link', link.id, link],
      ...reserve(released, accountId),
    ],
  };
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
    // Deleted and restored, a link is what it was.
    editedAt: isOfContents(changes) ? modified : before.editedAt,
    version: before.version + 1,
  });
}

function isOfContents({ deletedAt: _, ...changes }: LinkChanges): boolean {
  return Object.keys(changes).length > 0;
}

function aliasTexts({ alias, previousAliases }: Link): string {
  return [alias, ...previousAliases].join();
}

/** A link that has more than the limit already may keep them. */
function hasTooManyAliases(link: Link, before: Link): boolean {
  const allowed = Math.max(PREVIOUS_ALIASES_MAX, before.previousAliases.length);
  return link.previousAliases.length > allowed;
}

/**
 * See `Store.purgeLink`. What the link counted against its quota stays: otherwise, purging would lift it.
 *
 * @param mayPurge checked when the link is purged
 */
export function purgeLink(
  { linkId, accountId, by, version }: LinkPurge,
  mayPurge: (link: Link) => boolean = () => true,
): Change<PurgeLinkOutcome> {
  const needs = () => needsOfLink(linkId);
  return authorized(by, accountId, needs, (facts) => {
    const link = facts.get('link', linkId);
    if (link?.accountId !== accountId || !mayPurge(link)) return unchanged('not_found');
    if (version !== undefined && version !== link.version) return unchanged('version_mismatch');
    if (facts.get('block', blockOf(linkId))) return unchanged('link_blocked');
    return {
      outcome: 'purged',
      records: [['link', linkId, null], ...reserve(aliasesOf(link), accountId)],
    };
  });
}

/** Purges a link that was deleted too long ago to be restored, unless that has changed since it was found. */
export function purgeOutdated(own: OwnLink, now: number): Change<PurgeLinkOutcome> {
  return purgeLink({ ...own, by: { kind: 'administrator' } }, (link) => isGone(link, now));
}

function needsOfLink(linkId: string): Needs {
  return { links: [linkId], blocks: [blockOf(linkId)] };
}

/** Returns the key of the block of a link. */
export function blockOf(linkId: string): string {
  return blockKey({ kind: 'link', value: linkId });
}

/** See `Administration.moveLink`. */
export function moveLink({ linkId, accountId }: OwnLink, to: string): Change<MoveLinkOutcome> {
  return {
    needs: () => ({ accounts: [...new Set([accountId, to])], links: [linkId] }),
    decide: (facts) => {
      const link = facts.get('link', linkId);
      if (!facts.get('account', to)) return unchanged('no_account');
      if (link?.accountId !== accountId) return unchanged('not_found');
      const moved = changedLink(link, { accountId: to });
      const records: StoreRecord[] = [['link', linkId, moved]];
      if (to !== accountId) {
        records.push(...count(facts, quotaOf(link), -1), ...count(facts, quotaOf(moved), 1));
      }
      return { outcome: 'moved', records };
    },
  };
}

/** See `Store.takeVisit`. @param link with all its hits */
export function countVisit(link: Link | undefined): Decision<boolean> {
  if (!link || link.deletedAt !== null) return unchanged(false);
  if (link.maxVisits !== null && link.hits >= link.maxVisits) return unchanged(false);
  return { outcome: true, records: [['hits', link.id, link.hits + 1]] };
}
