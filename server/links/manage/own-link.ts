import { RESTORABLE_MS } from '../../../shared/limits.ts';
import { monthlyQuotaOf, quotaExceeded } from '../../accounts/quota.ts';
import { noRoom, type RoomDependencies, roomFor } from '../../accounts/room.ts';
import type { Settings } from '../../config.ts';
import { domainUnusable } from '../../domains/named-domain.ts';
import type { Clock } from '../../lib/clock.ts';
import { ServiceError } from '../../lib/service-error.ts';
import type { ClientAddress } from '../../limits/client-ip.ts';
import type { EditRate } from '../../limits/edit-rate.ts';
import type { Account, Authorization } from '../../store/account.ts';
import { hostOfAlias } from '../../store/domains.ts';
import type { EditLinkOutcome, Link, LinkChanges, LinkEdit } from '../../store/link.ts';
import { linkBytes } from '../../store/link-size.ts';
import type { Store } from '../../store/store.ts';
import { type AliasDependencies, aliasTaken } from '../aliases.ts';
import { targetsTooLong } from '../targets-too-long.ts';
import { assertMatches } from './link-etag.ts';

export type FindDependencies = { store: Store; clock: Clock };
export type OwnLinkDependencies = FindDependencies &
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
  if (link?.accountId !== account.id || isOutdated(link, clock())) throw notFound(alias);
  return link;
}

/** Whether a link was deleted too long ago to be restored. */
export function isOutdated({ deletedAt }: Link, now: number): boolean {
  return deletedAt !== null && now >= deletedAt + RESTORABLE_MS;
}

/**
 * Edits the caller's link. If another edit comes in between, starts over with the edited link.
 *
 * @param toChanges returns undefined to leave the link as it is
 * @throws ServiceError `not_found`, `version_mismatch`, `alias_taken`, `link_blocked`, `too_many_aliases`,
 *   `quota_exceeded`, `anonymous_limit`, `store_full`, `rate_limited`, `invalid_request`, and see `authorize`
 */
export async function editOwnLink(
  call: LinkCall,
  toChanges: (link: Link) => LinkChanges | undefined | Promise<LinkChanges | undefined>,
  dependencies: OwnLinkDependencies,
): Promise<Link> {
  let link = await findOwnLink(call, dependencies);
  for (;;) {
    assertMatches(link, call.ifMatch);
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
  { changes, modified, quota }: LinkEdit & { quota: number },
  { alias }: LinkCall,
  dependencies: OwnLinkDependencies,
): Promise<Link> {
  switch (outcome.kind) {
    case 'edited':
      return outcome.link;
    case 'not_found':
      throw notFound(alias);
    case 'alias_taken':
      throw await aliasTaken(changes.alias ?? alias, dependencies);
    case 'domain_unusable':
      throw domainUnusable(hostOfAlias(changes.alias ?? '') ?? '');
    case 'quota_exceeded':
      throw quotaExceeded(quota, modified);
    case 'store_full':
    case 'anonymous_limit':
      throw noRoom(outcome.kind, modified);
    case 'targets_too_long':
      throw targetsTooLong();
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
    'The operator of this server has blocked this link. As long as it is blocked, it keeps its aliases and cannot be erased.',
  );
}

export function notFound(alias: string): ServiceError {
  return new ServiceError('not_found', `Your account has no link with the alias "${alias}".`);
}
