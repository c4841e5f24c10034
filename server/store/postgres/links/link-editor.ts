import { decideEdit } from '../../decide/edit-link.ts';
import type { EditLinkOutcome, Link, LinkEdit } from '../../link.ts';
import { aliasesOf } from '../../records/edited-link.ts';
import { type ChangeContext, commitChange, type Tell } from '../changes/commit-change.ts';
import type { Query, Statement } from '../database/statement.ts';
import { toLinkRow } from './link-row.ts';
import { lockOwnLink } from './own-link.ts';

/** Adds nothing if anybody has used the alias. */
const CLAIM_ALIAS: Statement = {
  name: 'claim_alias',
  text: 'INSERT INTO aliases (key, account_id) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING key',
};
const FIND_RESERVED: Statement = {
  name: 'find_reserved',
  text: `SELECT key FROM aliases
    WHERE key = $1 AND account_id = $2 AND id IS NULL AND current_key IS NULL`,
};
/** The row may be that of another alias than before. */
const WRITE_LINK: Statement = {
  name: 'write_link',
  text: `UPDATE aliases SET current_key = NULL, id = before.id, number = before.number,
      created = before.created, hits = before.hits, deleted_at = $3, link = $4, reversed_host = $5,
      search_text = $6, tags = $7
    FROM aliases AS before WHERE aliases.key = $1 AND before.key = $2`,
};
/** Makes aliases lead to another one, or to none. */
export const CLEAR_ALIASES: Statement = {
  name: 'clear_aliases',
  text: `UPDATE aliases SET current_key = CASE WHEN key = ANY($2) THEN $3 END, id = NULL, number = NULL,
      created = NULL, deleted_at = NULL, hits = NULL, link = NULL, reversed_host = NULL,
      search_text = NULL, tags = NULL
    WHERE key = ANY($1)`,
};

/** See `Store.editLink`. */
export function editLink(context: ChangeContext, edit: LinkEdit): Promise<EditLinkOutcome> {
  return commitChange(context, edit.accountId, (query, tell) => tryToEdit(query, edit, tell));
}

async function tryToEdit(query: Query, edit: LinkEdit, tell: Tell): Promise<EditLinkOutcome> {
  const found = await lockOwnLink(query, edit);
  const decision = decideEdit(edit, { before: found?.link, isBlocked: found?.isBlocked ?? false });
  if (decision.kind !== 'edit') return decision;
  const { link, newAlias } = decision;
  if (newAlias !== undefined && !(await claim(query, newAlias, edit.accountId))) {
    return { kind: 'alias_taken' };
  }
  const before = found?.link as Link;
  const aliases = [...new Set([...aliasesOf(before), ...aliasesOf(link)])];
  await write(query, before, link, aliases);
  await tell({ aliases });
  return { kind: 'edited', link };
}

async function claim(query: Query, alias: string, accountId: string): Promise<boolean> {
  const values = [alias.toLowerCase(), accountId];
  if ((await query(CLAIM_ALIAS, values)).length > 0) return true;
  return (await query(FIND_RESERVED, values)).length > 0;
}

/** @param aliases all keys of the link, before and after */
async function write(query: Query, before: Link, link: Link, aliases: string[]): Promise<void> {
  const row = toLinkRow(link);
  const { deleted_at, link: json, reversed_host, search_text, tags } = row;
  const values = [deleted_at, json, reversed_host, search_text, tags];
  await query(WRITE_LINK, [row.key, before.alias.toLowerCase(), ...values]);
  const others = aliases.filter((key) => key !== row.key);
  const isSame = aliasesOf(before).join() === aliasesOf(link).join();
  if (!isSame) await query(CLEAR_ALIASES, [others, aliasesOf(link).slice(1), row.key]);
}
