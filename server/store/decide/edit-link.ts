import type { EditLinkOutcome, Link, LinkEdit } from '../link.ts';
import { aliasesOf, changed, hasTooManyAliases, isGone } from '../records/edited-link.ts';

export type EditFacts = {
  /** The link as it is; undefined if there is none with this id. */
  before: Link | undefined;
  isBlocked: boolean;
};

/** An edit that may be stored, unless its new alias is not available. */
export type DecidedEdit = {
  kind: 'edit';
  link: Link;
  /** An alias that the link did not have. */
  newAlias: string | undefined;
};

type Failure = Exclude<EditLinkOutcome, { kind: 'edited' | 'alias_taken' }>;

/** What an edit makes of a link. See `Store.editLink`. */
export function decideEdit(
  edit: LinkEdit,
  { before, isBlocked }: EditFacts,
): DecidedEdit | Failure {
  const { accountId, changes, modified, version } = edit;
  if (before?.accountId !== accountId || isGone(before, modified)) return { kind: 'not_found' };
  if (version !== undefined && version !== before.version) {
    return { kind: 'version_mismatch', link: before };
  }
  const link = changed(before, changes, modified);
  if (isBlocked && hasOtherAliases(link, before)) return { kind: 'link_blocked' };
  if (hasTooManyAliases(link, before)) return { kind: 'too_many_aliases' };
  const isNew = !aliasesOf(before).includes(link.alias.toLowerCase());
  return { kind: 'edit', link, newAlias: isNew ? link.alias : undefined };
}

function hasOtherAliases(link: Link, before: Link): boolean {
  return aliasTexts(link) !== aliasTexts(before);
}

function aliasTexts({ alias, furtherAliases }: Link): string {
  return [alias, ...furtherAliases].join();
}
