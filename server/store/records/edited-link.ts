import { FURTHER_ALIASES_MAX, RESTORABLE_MS } from '../../../shared/limits.ts';
import type { Link, LinkChanges } from '../link.ts';

/** Whether the link was deleted too long ago to be restored, although it may not be erased yet. */
export function isGone({ deletedAt }: Pick<Link, 'deletedAt'>, now: number): boolean {
  return deletedAt !== null && deletedAt + RESTORABLE_MS < now;
}

/** The link with the changes of an edit. A further alias that becomes the alias is none any more. */
export function changed(before: Link, changes: LinkChanges, modified: number): Link {
  const { alias = before.alias } = changes;
  const keptAliases = changes.furtherAliases?.map((each) => each.toLowerCase());
  const isNewAlias = alias !== before.alias;
  const isRenamed = alias.toLowerCase() !== before.alias.toLowerCase();
  const earlier = before.furtherAliases.filter((each) => {
    const key = each.toLowerCase();
    return key !== alias.toLowerCase() && (keptAliases?.includes(key) ?? true);
  });
  return {
    ...before,
    ...changes,
    aliasIsCustom: before.aliasIsCustom || isNewAlias,
    furtherAliases: isRenamed ? [...earlier, before.alias] : earlier,
    modified,
    version: before.version + 1,
  };
}

/** A link that has more than the limit already may keep them. */
export function hasTooManyAliases(link: Link, before: Link): boolean {
  const allowed = Math.max(FURTHER_ALIASES_MAX, before.furtherAliases.length);
  return link.furtherAliases.length > allowed;
}

/** All aliases of a link, in lower case. */
export function aliasesOf({
  alias,
  furtherAliases,
}: Pick<Link, 'alias' | 'furtherAliases'>): string[] {
  return [alias, ...furtherAliases].map((each) => each.toLowerCase());
}
