import { isLink, type Link } from '../../link.ts';
import { splitKey } from '../../records.ts';
import { aliasesOf } from '../../rules/aliases.ts';
import type { PendingFacts } from '../../rules/change.ts';
import { subjectOf } from '../../statistics/link-visits.ts';
import type { Query } from '../database/session.ts';
import {
  DELETE_ACCOUNT,
  LINK_COLUMNS,
  PLAIN_TABLES,
  toAccountRow,
  toLinkRow,
  toTokenRow,
} from '../rows.ts';
import { eraseStatistics } from '../statistics/visit-statistics.ts';

const LINK_NAMES = Object.keys(LINK_COLUMNS);
const LINK_TYPES = Object.entries(LINK_COLUMNS).map(([name, [type]]) => `${name} ${type}`);
const EACH_LINK = `json_to_recordset($1) AS each (${LINK_TYPES.join(', ')})`;
const toSelected = (name: string) => (name === 'link' ? 'each.link::json' : `each.${name}`);

const ADD_LINKS = `INSERT INTO links (${LINK_NAMES.join(', ')})
    SELECT ${LINK_NAMES.map(toSelected).join(', ')} FROM ${EACH_LINK}`;
/** What stays, and hits, which others count at the same time. */
const NOT_EDITED = ['id', 'created', 'hits', 'import_key'];
const EDITED = LINK_NAMES.filter((name) => !NOT_EDITED.includes(name));
const EDIT_LINKS = `UPDATE links SET ${EDITED.map((name) => `${name} = ${toSelected(name)}`).join(', ')}
    FROM ${EACH_LINK} WHERE links.id = each.id`;
const SET_HITS = `UPDATE links SET hits = each.hits
    FROM unnest($1::text[], $2::bigint[]) AS each (id, hits) WHERE links.id = each.id`;
const DELETE_LINKS = deleteFrom('links', 'id');
export const CLEAR_KEYS = 'UPDATE idempotency_keys SET link = NULL WHERE link_id = ANY ($1)';
/** Sorted, so that two servers do not wait for each other. It fails if an alias was used meanwhile. */
const ADD_ALIASES = `INSERT INTO aliases (key, account_id, link_id)
    SELECT * FROM unnest($1::text[], $2::text[], $3::text[]) AS each ORDER BY 1`;
const EDIT_ALIASES = `UPDATE aliases SET account_id = each.account_id, link_id = each.link_id
    FROM unnest($1::text[], $2::text[], $3::text[]) AS each (key, account_id, link_id)
    WHERE aliases.key = each.key`;
const DELETE_KEYS = deleteFrom('idempotency_keys', 'key_hash');
/** It fails if a key was used meanwhile. */
const ADD_KEYS = `INSERT INTO idempotency_keys (key_hash, body_hash, token_salt, link_id, created, link)
    SELECT key_hash, body_hash, token_salt, link_id, created,
      coalesce(link::json, (SELECT links.link FROM links WHERE links.id = link_id))
    FROM json_to_recordset($1) AS each (
      key_hash text, body_hash text, token_salt text, link_id text, created bigint, link text
    ) ORDER BY key_hash`;
const COUNT = `UPDATE accounts SET total = total + more, quotas = accounts.quotas || each.quotas
    FROM unnest($1::text[], $2::bigint[], $3::jsonb[]) AS each (id, more, quotas)
    WHERE accounts.id = each.id`;
const WRITE_ACCOUNTS = `INSERT INTO accounts (id, identity_hash, account, search_text)
    SELECT id, identity_hash, account::json, search_text
    FROM json_to_recordset($1) AS each (
      index integer, id text, identity_hash text, account text, search_text text
    ) ORDER BY index
    ON CONFLICT (id) DO UPDATE SET identity_hash = excluded.identity_hash,
      account = excluded.account, search_text = excluded.search_text`;
const WRITE_TOKENS = `INSERT INTO tokens (token_hash, account_id, last_used_on, token)
    SELECT token_hash, account_id, last_used_on, token::json
    FROM json_to_recordset($1) AS each (
      index integer, token_hash text, account_id text, last_used_on bigint, token text
    ) ORDER BY index ON CONFLICT (token_hash) DO UPDATE SET last_used_on = excluded.last_used_on`;
const DELETE_TOKENS = deleteFrom('tokens', 'token_hash');

function deleteFrom(table: string, key: string): string {
  return `DELETE FROM ${table} WHERE ${key} = ANY ($1)`;
}

/** What is known of the rows that are written. */
export type Before = {
  links: ReadonlyMap<string, Link>;
  /** A value is undefined if there is no such row. */
  aliases: ReadonlyMap<string, unknown>;
  keys: ReadonlyMap<string, unknown>;
};

/**
 * Writes what has changed: the last record of each kind and key. All statements are sent at once.
 *
 * @param changed has the records, over what was before
 */
export async function writeRecords(
  query: Query,
  changed: PendingFacts,
  before: Before,
): Promise<void> {
  const sender = new Sender(query);
  writeAccounts(sender, changed);
  writeTokens(sender, changed);
  writeLinks(sender, changed, before);
  writeKeys(sender, changed, before);
  writeAliases(sender, changed, before);
  writeCounts(sender, changed, before);
  writePlainTables(sender, changed);
  // Others of these records may belong to the account.
  deleteAccounts(sender, changed);
  await Promise.all(sender.sent);
}

/** Sends statements that have anything to do. */
class Sender {
  readonly query: Query;
  readonly sent: Promise<unknown>[] = [];

  constructor(query: Query) {
    this.query = query;
  }

  /** @param columns arrays of the same length */
  columns(statement: string, ...columns: [(string | number)[], ...(string | number | null)[][]]) {
    if (columns[0].length > 0) this.sent.push(this.query(statement, columns));
  }

  rows(statement: string, rows: readonly object[]): void {
    if (rows.length > 0) this.sent.push(this.query(statement, [JSON.stringify(rows)]));
  }

  eraseStatistics(subjects: string[]): void {
    if (subjects.length > 0) this.sent.push(...eraseStatistics(this.query, subjects));
  }
}

function writeAccounts(sender: Sender, changed: PendingFacts): void {
  const rows = changed
    .values('account')
    .map((account, index) => ({ index, ...toAccountRow(account) }));
  sender.rows(WRITE_ACCOUNTS, rows);
}

function deleteAccounts(sender: Sender, changed: PendingFacts): void {
  for (const id of changed.deleted('account')) {
    for (const statement of DELETE_ACCOUNT) sender.sent.push(sender.query(statement, [id]));
    sender.eraseStatistics([subjectOf({ accountId: id })]);
  }
}

function writeTokens(sender: Sender, changed: PendingFacts): void {
  const rows = changed.values('token').map((token, index) => ({ index, ...toTokenRow(token) }));
  sender.rows(WRITE_TOKENS, rows);
  sender.columns(DELETE_TOKENS, changed.deleted('token'));
}

function writeLinks(sender: Sender, changed: PendingFacts, before: Before): void {
  // In the order in which hits are counted, so that neither waits for the other.
  const links = changed.values('link').sort((one, other) => (one.id < other.id ? -1 : 1));
  const [edited = [], added = []] = [true, false].map((isKnown) =>
    links.filter(({ id }) => before.links.has(id) === isKnown).map(toLinkRow),
  );
  sender.rows(ADD_LINKS, added);
  sender.rows(EDIT_LINKS, edited);
  sender.columns(SET_HITS, [...changed.keys('hits')], changed.values('hits'));
  const deleted = changed.deleted('link');
  sender.columns(DELETE_LINKS, deleted);
  sender.columns(CLEAR_KEYS, deleted);
  sender.eraseStatistics(deleted.map((linkId) => subjectOf({ linkId })));
}

function writeKeys(sender: Sender, changed: PendingFacts, before: Before): void {
  const rows = changed.written('idempotencyKey').map(([key_hash, key]) => ({
    key_hash,
    body_hash: key.bodyHash,
    token_salt: key.tokenSalt,
    link_id: key.linkId,
    created: key.created,
    link: key.original ? toLinkRow(key.original).link : null,
  }));
  const expired = rows.flatMap(({ key_hash }) => (before.keys.get(key_hash) ? [key_hash] : []));
  sender.columns(DELETE_KEYS, expired);
  sender.rows(ADD_KEYS, rows);
}

function writeAliases(sender: Sender, changed: PendingFacts, before: Before): void {
  const known = new Set<string>();
  for (const [alias, holder] of before.aliases) if (holder !== undefined) known.add(alias);
  const written = new Set(changed.written('alias').map(([alias]) => alias));
  for (const [id, link] of changed.written('link')) {
    const linkBefore = before.links.get(id);
    const own = linkBefore?.accountId === link.accountId ? aliasesOf(linkBefore) : [];
    for (const alias of aliasesOf(link)) if (!own.includes(alias)) written.add(alias);
  }
  for (const id of changed.keys('link')) {
    const link = before.links.get(id);
    for (const alias of link ? aliasesOf(link) : []) known.add(alias);
  }
  for (const isKnown of [true, false]) {
    const keys = [...written].filter((alias) => known.has(alias) === isKnown);
    const holders = keys.map((alias) => changed.holder(alias));
    sender.columns(
      isKnown ? EDIT_ALIASES : ADD_ALIASES,
      keys,
      holders.map((holder) => holder?.accountId ?? ''),
      holders.map((holder) => (isLink(holder) ? holder.id : null)),
    );
  }
}

function writeCounts(sender: Sender, changed: PendingFacts, before: Before): void {
  type Counted = { id: string; more: number; quotas: Record<string, number> };
  const rows = new Map<string, Counted>();
  const rowOf = (id: string) => {
    const row = rows.get(id) ?? { id, more: 0, quotas: {} };
    rows.set(id, row);
    return row;
  };
  for (const link of changed.values('link')) rowOf(link.accountId).more++;
  for (const id of changed.keys('link')) {
    const link = before.links.get(id);
    if (link) rowOf(link.accountId).more--;
  }
  for (const [quota, used] of changed.written('quota')) {
    const [accountId, period] = splitKey(quota);
    rowOf(accountId).quotas[period] = used;
  }
  const isChanged = ({ more, quotas }: Counted) => more !== 0 || Object.keys(quotas).length > 0;
  const counted = [...rows.values()].filter(isChanged);
  const quotas = counted.map((each) => JSON.stringify(each.quotas));
  sender.columns(
    COUNT,
    counted.map(({ id }) => id),
    counted.map(({ more }) => more),
    quotas,
  );
}

/** Reports of a link that is deleted are deleted with its row. */
function writePlainTables(sender: Sender, changed: PendingFacts): void {
  for (const [kind, table] of PLAIN_TABLES) {
    const written = changed.written(kind);
    sender.columns(
      `INSERT INTO ${table} SELECT key, value::json
        FROM unnest($1::text[], $2::text[]) AS each (key, value)
        ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
      written.map(([key]) => key),
      written.map(([, value]) => JSON.stringify(value)),
    );
    sender.columns(deleteFrom(table, 'key'), changed.deleted(kind));
  }
}
