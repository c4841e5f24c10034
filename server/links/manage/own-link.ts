import { ACCOUNT_TAGS_MAX } from '../../../shared/bounds.ts';
import { linkEtag } from '../../../shared/links/link-etag.ts';
import {
  monthlyQuotaOf,
  noRoom,
  quotaExceeded,
  type RoomDependencies,
  roomFor,
} from '../../accounts/quota.ts';
import type { Settings } from '../../config.ts';
import { domainUnusable, toStoredAlias } from '../../domains/short-domains.ts';
import { ServiceError } from '../../lib/service-error.ts';
import type { Clock } from '../../lib/time.ts';
import type { ClientAddress } from '../../limits/client-address.ts';
import type { EditRate } from '../../limits/client-limits.ts';
import type { Account, Authorization } from '../../store/account.ts';
import { hostOfAlias, isGone, type Link, linkBytes } from '../../store/link.ts';
import type { EditLinkOutcome, LinkChanges, LinkEdit } from '../../store/link-calls.ts';
import type { Store } from '../../store/store.ts';
import { type AliasDependencies, aliasTaken } from '../aliases.ts';
import { targetsTooLong } from '../allowed-fields.ts';
import { type RecordDependencies, toLinkRecord } from '../to-link-record.ts';

export const TOO_MANY_TAGS = `An account can have at most ${ACCOUNT_TAGS_MAX.toLocaleString('en')} different tags, also those of deleted links. Use a tag that you have, or remove others first.`;

/**
 * Evaluates `If-Match`, with the weak comparison: proxies that compress a response make its ETag weak. Some clients
 * lose its quotes.
 *
 * @param ifMatch value of the header: `*` or a list of ETags; undefined matches any link
 * @throws ServiceError `version_mismatch`
 * @see RFC 9110, section 13.1.1
 */
export function assertMatches(
  link: Link,
  ifMatch: string | undefined,
  dependencies: MatchDependencies,
): void {
  if (matchesAny(ifMatch)) return;
  const etags = ifMatch
    .split(',')
    .map((etag) => `"${etag.trim().replace(/^W\//, '').replace(/^"/, '').replace(/"$/, '')}"`);
  if (!etags.includes(linkEtag(link))) throw versionMismatch(link, dependencies);
}

export function matchesAny(ifMatch: string | undefined): ifMatch is undefined | '*' {
  if (ifMatch?.trim() === '') {
    throw new ServiceError(
      'invalid_request',
      'If-Match is empty. Send the ETag of the link, or leave the header out.',
    );
  }
  return ifMatch === undefined || ifMatch.trim() === '*';
}

function versionMismatch(link: Link, dependencies: MatchDependencies): ServiceError {
  return new ServiceError(
    'version_mismatch',
    'The link was edited since, so its ETag is not the one in If-Match.',
    { current: toLinkRecord(link, dependencies, dependencies.clock()) },
  );
}

export type FindDependencies = { store: Store; clock: Clock };
export type MatchDependencies = FindDependencies & RecordDependencies;
export type OwnLinkDependencies = MatchDependencies &
  AliasDependencies &
  RoomDependencies & { settings: Pick<Settings, 'monthlyQuota'>; edits: EditRate };

/** Which link a request means, and who sends it. */
export type LinkCall = {
  account: Pick<Account, 'id' | 'monthlyQuota' | 'isAnonymous'>;
  address: ClientAddress;
  by: Authorization;
  /** An alias or previous alias, in any case. */
  alias: string;
  /** The `If-Match` header. */
  ifMatch?: string | undefined;
};

/**
 * @throws ServiceError `not_found`, also for links of other accounts, so that nobody learns of them,
 *   and for links that were deleted too long ago to be restored, even if they are not erased yet
 */
export async function findOwnLink(
  { account, alias }: Pick<LinkCall, 'account' | 'alias'>,
  { store, clock }: FindDependencies,
): Promise<Link> {
  const link = await store.findLink(alias);
  if (link?.accountId !== account.id || isGone(link, store.certainTime(clock())))
    throw notFound(alias);
  return link;
}

/**
 * Edits the caller's link. If another edit comes in between, starts over with the edited link.
 *
 * @param toChanges returns undefined to leave the link as it is
 * @throws ServiceError `not_found`, `version_mismatch`, `alias_taken`, `link_blocked`, `too_many_aliases`,
 *   `too_many_tags`, *   `quota_exceeded`, `anonymous_limit`, `store_full`, `rate_limited`, `invalid_request`, and see `authorize`
 */
export async function editOwnLink(
  call: LinkCall,
  toChanges: (link: Link) => LinkChanges | undefined | Promise<LinkChanges | undefined>,
  dependencies: OwnLinkDependencies,
): Promise<Link> {
  let link = await findOwnLink(call, dependencies);
  for (;;) {
    assertMatches(link, call.ifMatch, dependencies);
    const changes = await toChanges(link);
    if (!changes) return link;
    dependencies.edits.takeLink(call, linkBytes(link) + JSON.stringify(changes).length);
    const { id: linkId, accountId, version } = link;
    const { account, by } = call;
    const quota = monthlyQuotaOf(account, dependencies.settings);
    const modified = dependencies.clock();
    const room = roomFor(account, modified, dependencies);
    const edit = { linkId, accountId, by, changes, modified, version, quota, room };
    const outcome = await dependencies.store.editLink(edit);
    if (outcome.kind !== 'version_mismatch') return editedLink(outcome, edit, call, dependencies);
    link = outcome.link;
  }
}

async function editedLink(
  outcome: Exclude<EditLinkOutcome, { kind: 'version_mismatch' }>,
  { accountId, changes, modified, quota }: LinkEdit & { quota: number },
  { alias }: LinkCall,
  dependencies: OwnLinkDependencies,
): Promise<Link> {
  switch (outcome.kind) {
    case 'edited':
      return outcome.link;
    case 'not_found':
      throw notFound(alias);
    case 'alias_taken':
      throw await aliasTaken(changes.alias ?? alias, accountId, dependencies);
    case 'domain_unusable':
      throw domainUnusable(hostOfAlias(changes.alias ?? '') ?? '');
    case 'quota_exceeded':
      throw quotaExceeded(quota, modified);
    case 'store_full':
    case 'anonymous_limit':
      throw noRoom(outcome.kind, modified);
    case 'targets_too_long':
      throw targetsTooLong();
    case 'too_many_tags':
      throw tooManyTags();
    case 'link_blocked':
      throw linkBlocked();
    case 'too_many_aliases':
      throw new ServiceError(
        'too_many_aliases',
        'The link has as many previous aliases as it can have. Remove one of them first.',
      );
  }
}

/**
 * A block belongs to the link, not to its aliases. With an alias that the link has no more, its owner
 * could make the same link again, without the block.
 */
export function linkBlocked(): ServiceError {
  return new ServiceError(
    'link_blocked',
    'The operator of this server has blocked this link. As long as it is blocked, it keeps its aliases and cannot be deleted permanently.',
  );
}

export function tooManyTags(): ServiceError {
  return new ServiceError('too_many_tags', TOO_MANY_TAGS);
}

export function linkDeleted(): ServiceError {
  return new ServiceError('link_gone', 'The link is deleted. Restore it first.');
}

export function notFound(alias: string): ServiceError {
  return new ServiceError('not_found', `Your account has no link with the alias "${alias}".`);
}

/** Visitors get 410 from now on. A deleted link stays as it is. */
export function deleteLink(call: LinkCall, dependencies: OwnLinkDependencies): Promise<Link> {
  const deletedAt = dependencies.clock();
  return editOwnLink(
    call,
    (link) => (link.deletedAt === null ? { deletedAt } : undefined),
    dependencies,
  );
}

/** Erases a link, whether or not it was deleted before. @throws ServiceError also `link_blocked` */
export async function purgeLink(call: LinkCall, dependencies: MatchDependencies): Promise<void> {
  const link = await findOwnLink(call, dependencies);
  assertMatches(link, call.ifMatch, dependencies);
  const { id: linkId, accountId, version } = link;
  const own = { linkId, accountId, by: call.by };
  const isAny = matchesAny(call.ifMatch);
  const outcome = await dependencies.store.purgeLink(isAny ? own : { ...own, version });
  if (outcome === 'version_mismatch') {
    throw versionMismatch(await findOwnLink(call, dependencies), dependencies);
  }
  if (outcome === 'link_blocked') throw linkBlocked();
  if (outcome === 'not_found') throw notFound(call.alias);
}

/** Restores a deleted link, for 30 days after its deletion. Any other link stays as it is. */
export function restoreLink(call: LinkCall, dependencies: OwnLinkDependencies): Promise<Link> {
  return editOwnLink(
    call,
    (link) => (link.deletedAt === null ? undefined : { deletedAt: null }),
    dependencies,
  );
}

/** Removes a previous alias, so that it no longer leads to the link. @throws ServiceError also `link_blocked` */
export function removePreviousAlias(
  call: LinkCall,
  old: string,
  dependencies: OwnLinkDependencies,
): Promise<Link> {
  const { domains } = dependencies;
  return editOwnLink(
    call,
    ({ alias: current, previousAliases }) => {
      const { domain } = domains.split(current);
      const removed = toStoredAlias(old, domain, domains).toLowerCase();
      const rest = previousAliases.filter((alias) => alias.toLowerCase() !== removed);
      if (rest.length === previousAliases.length) {
        throw new ServiceError('not_found', `The link has no previous alias "${old}".`);
      }
      return { previousAliases: rest };
    },
    dependencies,
  );
}
