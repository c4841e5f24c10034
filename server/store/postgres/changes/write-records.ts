import { DAY_MS } from '../../../lib/durations.ts';
import { aliasesOf, isLink } from '../../decide/aliases.ts';
import type { Layer } from '../../decide/layer.ts';
import type { Link } from '../../link.ts';
import { firstTokenOf, type StoredToken } from '../../records/account-json.ts';
import { type RecordKind, type RecordValues, type StoreRecord, splitKey } from '../../records.ts';
import { subjectOf } from '../../statistics/link-visits.ts';
import { DELETE_ACCOUNT, toAccountRow } from '../accounts/account-row.ts';
import type { Query } from '../database/statement.ts';
import { toLinkRow } from '../links/link-row.ts';
import { eraseStatistics } from '../statistics/visit-statistics.ts';

const LINK_COLUMNS =
  'account_id text, deleted_at bigint, link text, reversed_host text, other_hosts text[], search_text text, tags text[], tag_names text[], import_key text';

const ADD_LINKS = `INSERT INTO links
      (id, account_id, created, deleted_at, hits, link, reversed_host, other_hosts, search_text, tags, tag_names, import_key)
    SELECT id, account_id, created, deleted_at, hits, link::json, reversed_host, other_hosts, search_text, tags, tag_names, import_key
    FROM json_to_recordset($1) AS each (id text, created bigint, hits bigint, ${LINK_COLUMNS})`;
/** Without hits, which others count at the same time. */
const EDIT_LINKS = `UPDATE links SET account_id = each.account_id, deleted_at = each.deleted_at,
      link = each.link::json, reversed_host = each.reversed_host, other_hosts = each.other_hosts, search_text = each.search_text,
      tags = each.tags, tag_names = each.tag_names
    FROM json_to_recordset($1) AS each (id text, ${LINK_COLUMNS}) WHERE links.id = each.id`;
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
const COUNT = `UPDATE accounts SET total = total + more, imported = accounts.imported + each.imported,
      besides = accounts.besides || each.besides,
      months = accounts.months || (
        SELECT coalesce(
          jsonb_object_agg(key, value::bigint + coalesce((accounts.months->>key)::bigint, 0)), '{}'
        ) FROM jsonb_each_text(each.months)
      )
    FROM json_to_recordset($1) AS each (
      id text, more bigint, imported bigint, months jsonb, besides jsonb
    ) WHERE accounts.id = each.id`;
const WRITE_ACCOUNTS = `INSERT INTO accounts (id, identity_hash, account, search_text)
    SELECT id, identity_hash, account::json, search_text
    FROM json_to_recordset($1) AS each (
      index integer, id text, identity_hash text, account text, search_text text
    ) ORDER BY index
    ON CONFLICT (id) DO UPDATE SET identity_hash = excluded.identity_hash,
      account = excluded.account, search_text = excluded.search_text`;
const ADD_TOKENS = `INSERT INTO tokens (token_hash, id, account_id, name, scope, created)
    SELECT token_hash, id, account_id, name, scope, created
    FROM json_to_recordset($1) AS each (
      index integer, token_hash text, id text, account_id text, name text, scope text, created bigint
    ) ORDER BY index ON CONFLICT DO NOTHING`;
const DELETE_TOKENS = deleteFrom('tokens', 'token_hash');
/** An account has the hash of its first token. */
const DELETE_FIRST_TOKENS = 'DELETE FROM tokens WHERE account_id = ANY ($1) AND id = account_id';
const USE_TOKENS = `UPDATE tokens SET last_used_on = used.day
    FROM unnest($1::text[], $2::bigint[]) AS used (hash, day) WHERE token_hash = used.hash`;
const WRITE_BLOCKS = `INSERT INTO blocks (key, reason, since)
    SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[])
    ON CONFLICT (key) DO UPDATE SET reason = excluded.reason, since = excluded.since`;
const DELETE_BLOCKS = deleteFrom('blocks', 'key');

const WRITE_REPORTS = writeTable('reports', 'link_id', 'reports');
const WRITE_DOMAINS = writeTable('domains', 'host', 'domain');
const DELETE_REPORTS = deleteFrom('reports', 'link_id');

/** Of a table with a key and a value. */
function writeTable(table: string, key: string, value: string): string {
  return `INSERT INTO ${table} (${key}, ${value})
    SELECT key, value::json FROM unnest($1::text[], $2::text[]) AS each (key, value)
    ON CONFLICT (${key}) DO UPDATE SET ${value} = excluded.${value}`;
}

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
 * @param layer has the records, over what was before
 */
export async function writeRecords(
  query: Query,
  records: readonly StoreRecord[],
  layer: Layer,
  before: Before,
): Promise<void> {
  const last = new LastRecords(records);
  await Promise.all([
    ...writeAccounts(query, last),
    ...writeTokens(query, last),
    ...writeLinks(query, last, before),
    ...writeKeys(query, last, before),
    ...writeAliases(query, last, layer, before),
    ...writeCounts(query, last, layer),
    ...writeBlocks(query, last),
    ...writeJson(query, last.written('domain'), WRITE_DOMAINS),
    ...writeReports(query, last),
    ...deleteAccounts(query, last),
  ]);
}

/** By kind and key. */
class LastRecords {
  readonly #byKind = new Map<RecordKind, Map<string, unknown>>();

  constructor(records: readonly StoreRecord[]) {
    for (const [kind, key, value] of records) {
      const ofKind = this.#byKind.get(kind) ?? new Map<string, unknown>();
      this.#byKind.set(kind, ofKind.set(key, value));
    }
  }

  written<Kind extends RecordKind>(kind: Kind): [key: string, value: RecordValues[Kind]][] {
    return [...this.#all(kind)].filter((each): each is [string, RecordValues[Kind]] => {
      return each[1] !== null;
    });
  }

  deleted(kind: RecordKind): string[] {
    return [...this.#all(kind)].flatMap(([key, value]) => (value === null ? [key] : []));
  }

  #all<Kind extends RecordKind>(kind: Kind): Map<string, RecordValues[Kind] | null> {
    return (this.#byKind.get(kind) ?? new Map()) as Map<string, RecordValues[Kind] | null>;
  }
}

type Sent = Generator<Promise<unknown>>;

function* writeAccounts(query: Query, records: LastRecords): Sent {
  const accounts = records.written('account').map(([, account]) => account);
  if (accounts.length > 0) {
    const rows = accounts.map((account, index) => ({ index, ...toAccountRow(account) }));
    yield query(WRITE_ACCOUNTS, [JSON.stringify(rows)]);
    const tokens = accounts.flatMap((account) => firstTokenOf(account) ?? []);
    if (tokens.length > 0) yield query(ADD_TOKENS, [JSON.stringify(tokens.map(toTokenRow))]);
    const revoked = accounts.flatMap(({ id, tokenHash }) => (tokenHash === '' ? [id] : []));
    if (revoked.length > 0) yield query(DELETE_FIRST_TOKENS, [revoked]);
  }
}

/** Last: others of these records may belong to the account. */
function* deleteAccounts(query: Query, records: LastRecords): Sent {
  for (const id of records.deleted('account')) {
    for (const statement of DELETE_ACCOUNT) yield query(statement, [id]);
    yield eraseStatistics(query, [subjectOf({ accountId: id })]);
  }
}

function* writeTokens(query: Query, records: LastRecords): Sent {
  const tokens = records.written('token').map(([, token]) => token);
  if (tokens.length > 0) yield query(ADD_TOKENS, [JSON.stringify(tokens.map(toTokenRow))]);
  const revoked = records.deleted('token');
  if (revoked.length > 0) yield query(DELETE_TOKENS, [revoked]);
  const uses = records.written('used');
  if (uses.length > 0) {
    const days = uses.map(([, day]) => day * DAY_MS);
    yield query(USE_TOKENS, [uses.map(([hash]) => hash), days]);
  }
}

function* writeLinks(query: Query, records: LastRecords, before: Before): Sent {
  // In the order in which hits are counted, so that neither waits for the other.
  const links = records
    .written('link')
    .map(([, link]) => link)
    .sort((one, other) => (one.id < other.id ? -1 : 1));
  const [edited, added] = [true, false].map((isKnown) =>
    links.filter(({ id }) => before.links.has(id) === isKnown).map(toLinkRow),
  );
  if (added?.length) yield query(ADD_LINKS, [JSON.stringify(added)]);
  if (edited?.length) yield query(EDIT_LINKS, [JSON.stringify(edited)]);
  const hits = records.written('hits');
  if (hits.length > 0) yield query(SET_HITS, [hits.map(([id]) => id), hits.map(([, all]) => all)]);
  const deleted = records.deleted('link');
  if (deleted.length > 0) {
    yield query(DELETE_LINKS, [deleted]);
    yield query(CLEAR_KEYS, [deleted]);
    yield eraseStatistics(
      query,
      deleted.map((linkId) => subjectOf({ linkId })),
    );
  }
}

function* writeKeys(query: Query, records: LastRecords, before: Before): Sent {
  const rows = records.written('key').map(([key_hash, key]) => ({
    ...{ key_hash, body_hash: key.bodyHash, token_salt: key.tokenSalt, link_id: key.linkId },
    ...{ created: key.created, link: key.original && toLinkRow(key.original).link },
  }));
  if (rows.length === 0) return;
  const expired = rows.flatMap(({ key_hash }) => (before.keys.get(key_hash) ? [key_hash] : []));
  if (expired.length > 0) yield query(DELETE_KEYS, [expired]);
  yield query(ADD_KEYS, [JSON.stringify(rows)]);
}

function* writeAliases(query: Query, records: LastRecords, layer: Layer, before: Before): Sent {
  const known = new Set<string>();
  for (const [alias, holder] of before.aliases) if (holder !== undefined) known.add(alias);
  const changed = new Set(records.written('alias').map(([alias]) => alias));
  for (const [id, link] of records.written('link')) {
    const linkBefore = before.links.get(id);
    const aliases = linkBefore ? aliasesOf(linkBefore) : [];
    for (const alias of aliases) known.add(alias);
    const isMoved = link.accountId !== linkBefore?.accountId;
    for (const alias of aliasesOf(link)) {
      if (isMoved || !aliases.includes(alias)) changed.add(alias);
    }
  }
  for (const id of records.deleted('link')) {
    const link = before.links.get(id);
    for (const alias of link ? aliasesOf(link) : []) known.add(alias);
  }
  for (const isKnown of [true, false]) {
    const keys = [...changed].filter((alias) => known.has(alias) === isKnown);
    if (keys.length === 0) continue;
    const holders = keys.map((alias) => layer.holder(alias));
    yield query(isKnown ? EDIT_ALIASES : ADD_ALIASES, [
      keys,
      holders.map((holder) => holder?.accountId ?? ''),
      holders.map((holder) => (isLink(holder) ? holder.id : null)),
    ]);
  }
}

function* writeCounts(query: Query, records: LastRecords, layer: Layer): Sent {
  const besides = new Map<string, Record<string, number>>();
  for (const [key, count] of records.written('use')) {
    const [accountId, period] = splitKey(key);
    besides.set(accountId, { ...besides.get(accountId), [period]: count });
  }
  const ids = new Set([...layer.countChanges.keys(), ...besides.keys()]);
  if (ids.size === 0) return;
  const rows = [...ids].map((id) => {
    const { total: more = 0, imported = 0, months = [] } = layer.countChanges.get(id) ?? {};
    return {
      ...{ id, more, imported, months: Object.fromEntries(months) },
      besides: besides.get(id) ?? {},
    };
  });
  yield query(COUNT, [JSON.stringify(rows)]);
}

function* writeBlocks(query: Query, records: LastRecords): Sent {
  const blocks = records.written('block');
  if (blocks.length > 0) {
    const values = blocks.map(([, block]) => block);
    yield query(WRITE_BLOCKS, [
      blocks.map(([key]) => key),
      values.map(({ reason }) => reason),
      values.map(({ since }) => since),
    ]);
  }
  const removed = records.deleted('block');
  if (removed.length > 0) yield query(DELETE_BLOCKS, [removed]);
}

/** Those of a link that is deleted are deleted with its row. */
function* writeReports(query: Query, records: LastRecords): Sent {
  yield* writeJson(query, records.written('report'), WRITE_REPORTS);
  const removed = records.deleted('report');
  if (removed.length > 0) yield query(DELETE_REPORTS, [removed]);
}

function* writeJson(query: Query, records: [key: string, value: unknown][], write: string): Sent {
  if (records.length === 0) return;
  const texts = records.map(([, value]) => JSON.stringify(value));
  yield query(write, [records.map(([key]) => key), texts]);
}

function toTokenRow(token: StoredToken, index: number) {
  const { tokenHash: token_hash, id, accountId: account_id, name, scope, created } = token;
  return { index, token_hash, id, account_id, name, scope, created };
}
