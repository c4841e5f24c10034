import { decideEdit } from '../../decide/edit-link.ts';
import type { EditLinkOutcome, Link, LinkEdit } from '../../link.ts';
import { aliasesOf } from '../../records/edited-link.ts';
import { readCounts } from '../accounts/accounts.ts';
import { type ChangeContext, commitChange, type Tell } from '../changes/commit-change.ts';
import type { Query, Statement } from '../database/statement.ts';
import { type AliasStates, claimAliases, releaseAliases } from './alias-rows.ts';
import { toLinkRow } from './link-row.ts';
import { monthOf } from './month.ts';
import { lockOwnLink } from './own-link.ts';

const COUNT: Statement = {
  name: 'count_new_alias',
  text: `UPDATE account_links
    SET months = jsonb_set(months, ARRAY[$2], to_jsonb(coalesce((months->>$2)::bigint, 0) + $3))
    WHERE account_id = $1`,
};
/** The row may be that of another alias than before. */
const WRITE_LINK: Statement = {
  name: 'write_link',
  text: `UPDATE aliases SET current_key = NULL, id = before.id, number = before.number,
      created = before.created, hits = before.hits, deleted_at = $3, link = $4, reversed_host = $5,
      search_text = $6, tags = $7, import_key = before.import_key
    FROM aliases AS before WHERE aliases.key = $1 AND before.key = $2`,
};
/** Makes aliases lead to another one, or to none. */
export const CLEAR_ALIASES: Statement = {
  name: 'clear_aliases',
  text: `UPDATE aliases SET current_key = CASE WHEN key = ANY($2) THEN $3 END, id = NULL, number = NULL,
      created = NULL, deleted_at = NULL, hits = NULL, link = NULL, reversed_host = NULL,
      search_text = NULL, tags = NULL, import_key = NULL
    WHERE key = ANY($1)`,
};

/** See `Store.editLink`. */
export function editLink(context: ChangeContext, edit: LinkEdit): Promise<EditLinkOutcome> {
  return commitChange(context, edit.accountId, (query, tell) => tryToEdit(query, edit, tell));
}

async function tryToEdit(query: Query, edit: LinkEdit, tell: Tell): Promise<EditLinkOutcome> {
  const { accountId, modified } = edit;
  const found = await lockOwnLink(query, edit);
  const { states, used } = await readAliasFacts(query, edit);
  const decision = decideEdit(edit, {
    before: found?.link,
    isBlocked: found?.isBlocked ?? false,
    stateOf: (alias) => states.get(alias.toLowerCase()) ?? 'taken',
    used,
  });
  const claimed = [...states].flatMap(([key, state]) => (state === 'unused' ? key : []));
  if (decision.kind !== 'edit') {
    await releaseAliases(query, claimed);
    return decision;
  }
  const { before, link, cost } = decision;
  if (cost > 0) await query(COUNT, [accountId, monthOf(modified), cost]);
  const aliases = [...new Set([...aliasesOf(before), ...aliasesOf(link)])];
  await write(query, before, link, aliases);
  await tell({ aliases });
  return { kind: 'edited', link };
}

/** Of the edit's alias, which is reserved if nobody has ever had it. */
async function readAliasFacts(query: Query, { accountId, changes, modified }: LinkEdit) {
  if (changes.alias === undefined) return { states: new Map() as AliasStates, used: 0 };
  const states = await claimAliases(query, [changes.alias.toLowerCase()], accountId);
  const { month: used } = await readCounts(query, accountId, modified);
  return { states, used };
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
