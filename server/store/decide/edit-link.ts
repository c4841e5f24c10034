import type { EditLinkOutcome, Link, LinkEdit } from '../link.ts';
import { aliasesOf, changed, hasTooManyAliases, isGone } from '../records/edited-link.ts';
import type { AliasState } from './alias-state.ts';
import { hasRoom } from './quota.ts';

export type EditFacts = {
  /** The link as it is; undefined if there is none with this id. */
  before: Link | undefined;
  isBlocked: boolean;
  stateOf: (alias: string) => AliasState;
  /** How much of `quota` is used. */
  used: number;
};

/** An edit that can be stored. */
export type DecidedEdit = {
  kind: 'edit';
  before: Link;
  link: Link;
  /** An alias that the link did not have. */
  newAlias: string | undefined;
  /** What the edit counts against the quota. */
  cost: number;
};

/** What an edit makes of a link. See `Store.editLink`. */
export function decideEdit(
  edit: LinkEdit,
  { before, isBlocked, stateOf, used }: EditFacts,
): DecidedEdit | Exclude<EditLinkOutcome, { kind: 'edited' }> {
  const { accountId, changes, modified, version, quota } = edit;
  if (before?.accountId !== accountId || isGone(before, modified)) return { kind: 'not_found' };
  if (version !== undefined && version !== before.version) {
    return { kind: 'version_mismatch', link: before };
  }
  const link = changed(before, changes, modified);
  if (isBlocked && aliasTexts(link) !== aliasTexts(before)) return { kind: 'link_blocked' };
  const isNew = !aliasesOf(before).includes(link.alias.toLowerCase());
  const state = isNew ? stateOf(link.alias) : 'own';
  const cost = state === 'own' ? 0 : 1;
  if (!hasRoom({ used, max: quota }, cost)) return { kind: 'quota_exceeded' };
  if (state === 'taken') return { kind: 'alias_taken' };
  if (hasTooManyAliases(link, before)) return { kind: 'too_many_aliases' };
  return { kind: 'edit', before, link, newAlias: isNew ? link.alias : undefined, cost };
}

function aliasTexts({ alias, furtherAliases }: Link): string {
  return [alias, ...furtherAliases].join();
}
