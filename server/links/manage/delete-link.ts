import { toStoredAlias } from '../../domains/short-address.ts';
import { ServiceError } from '../../lib/service-error.ts';
import type { Link } from '../../store/link.ts';
import { assertMatches, matchesAny, versionMismatch } from './link-etag.ts';
import {
  editOwnLink,
  type FindDependencies,
  findOwnLink,
  type LinkCall,
  linkBlocked,
  notFound,
  type OwnLinkDependencies,
} from './own-link.ts';

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
export async function purgeLink(call: LinkCall, dependencies: FindDependencies): Promise<void> {
  const link = await findOwnLink(call, dependencies);
  assertMatches(link, call.ifMatch);
  const { id: linkId, accountId, version } = link;
  const own = { linkId, accountId, by: call.by };
  const isAny = matchesAny(call.ifMatch);
  const outcome = await dependencies.store.purgeLink(isAny ? own : { ...own, version });
  if (outcome === 'version_mismatch') throw versionMismatch();
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
