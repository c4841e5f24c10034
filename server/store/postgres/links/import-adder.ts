import type { ServiceError } from '../../../core/service-error.ts';
import { decideAdd } from '../../decide/add-link.ts';
import type { AddLinkOutcome, Link, NewLink } from '../../link.ts';
import { aliasesOf } from '../../records/edited-link.ts';
import { readCounts } from '../accounts/accounts.ts';
import { lockForAll } from '../accounts/lock-account.ts';
import type { Query, Statement } from '../database/statement.ts';
import { claimAliases, releaseAliases } from './alias-rows.ts';
import { toLinkRow } from './link-row.ts';

const ADD_ACCOUNT: Statement = {
  name: 'add_account_of_import',
  text: 'INSERT INTO account_links (account_id) VALUES ($1) ON CONFLICT DO NOTHING',
};
/** Into rows that the account has already. */
const WRITE_LINKS: Statement = {
  name: 'write_imported_links',
  text: `UPDATE aliases SET id = new.id, number = new.number, created = new.created,
      deleted_at = new.deleted_at, hits = new.hits, link = new.link::json,
      reversed_host = new.reversed_host, search_text = new.search_text, tags = new.tags,
      import_key = new.import_key
    FROM (
      SELECT nextval('link_numbers') AS number, * FROM (
        SELECT * FROM json_to_recordset($1) AS each (
          place integer, key text, id text, created bigint, deleted_at bigint, hits bigint, link text,
          reversed_host text, search_text text, tags text[], import_key text
        ) ORDER BY place
      ) AS ordered
    ) AS new
    WHERE aliases.key = new.key`,
};
const WRITE_ALIASES: Statement = {
  name: 'write_imported_aliases',
  text: `UPDATE aliases SET current_key = new.current_key
    FROM unnest($1::text[], $2::text[]) AS new (key, current_key) WHERE aliases.key = new.key`,
};
const COUNT: Statement = {
  name: 'count_imported_links',
  text: `UPDATE account_links SET total = total + $2, imported = imported + $3
    WHERE account_id = $1`,
};

/** A new link with the alias to try. */
export type ImportCall = { newLink: NewLink; link: Link };

type Added = { link: Link; cost: number };

/** Adds imported links of an account, all that can be added, in one transaction. @returns an outcome for each, or what `authorize` returns */
export async function addImported(
  query: Query,
  accountId: string,
  calls: readonly ImportCall[],
): Promise<(AddLinkOutcome | ServiceError)[]> {
  await query(ADD_ACCOUNT, [accountId]);
  const all = calls.map(({ newLink }) => newLink.by);
  const { isThere, errors } = await lockForAll(query, accountId, all);
  const counts = await readCounts(query, accountId, calls[0]?.link.created ?? 0);
  let used = counts.imported;
  const keys = [...new Set(calls.flatMap(({ link }) => aliasesOf(link)))];
  const states = await claimAliases(query, keys, accountId);
  const unclaimed = new Set(keys.filter((key) => states.get(key) === 'unused'));
  const stateOf = (alias: string) => states.get(alias.toLowerCase()) ?? 'taken';
  const added: Added[] = [];
  const outcomes = calls.map(({ newLink, link: wanted }, place) => {
    const error = errors[place];
    if (error) return error;
    if (!isThere) return { kind: 'account_deleted' } as const;
    const decision = decideAdd(newLink, { alias: wanted.alias, stateOf, used });
    if (decision.kind !== 'add') return decision;
    const link = { ...wanted, furtherAliases: decision.furtherAliases };
    used += decision.cost;
    for (const key of aliasesOf(link)) {
      states.set(key, 'taken');
      unclaimed.delete(key);
    }
    added.push({ link, cost: decision.cost });
    return { kind: 'added', link, usedInMonth: counts.month } as const;
  });
  await releaseAliases(query, [...unclaimed]);
  if (added.length > 0) await write(query, accountId, added);
  return outcomes;
}

async function write(query: Query, accountId: string, added: Added[]): Promise<void> {
  const rows = added.map(({ link }, place) => ({ place, ...toLinkRow(link) }));
  await query(WRITE_LINKS, [JSON.stringify(rows)]);
  const further = added.flatMap(({ link }) => {
    const [current, ...others] = aliasesOf(link);
    return others.map((key) => ({ key, current: current as string }));
  });
  if (further.length > 0) {
    await query(WRITE_ALIASES, [
      further.map(({ key }) => key),
      further.map(({ current }) => current),
    ]);
  }
  const cost = added.reduce((sum, each) => sum + each.cost, 0);
  await query(COUNT, [accountId, added.length, cost]);
}
