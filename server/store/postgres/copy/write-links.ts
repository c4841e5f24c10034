import type { CopyRecordOf } from '../../copy/copy-record.ts';
import { fromLinkJson } from '../../records/link-json.ts';
import { monthNumber } from '../../records/month-number.ts';
import type { Query } from '../database/statement.ts';
import { toLinkRow } from '../links/link-row.ts';

const ADD_LINKS = `
  INSERT INTO aliases (
    key, account_id, id, number, created, deleted_at, hits, link, reversed_host, search_text, tags,
    import_key
  )
  SELECT
    key, account_id, id, nextval('link_numbers'), created, deleted_at, hits, link::json, reversed_host,
    search_text, tags, import_key
  FROM (
    SELECT * FROM json_to_recordset($1) AS each (
      place integer, key text, account_id text, id text, created bigint, deleted_at bigint, hits bigint,
      link text, reversed_host text, search_text text, tags text[], import_key text
    ) ORDER BY place
  ) AS ordered`;
const ADD_ALIASES = `
  INSERT INTO aliases (key, account_id, current_key)
  SELECT * FROM json_to_recordset($1) AS each (key text, account_id text, current_key text)`;
const ADD_KEYS = `
  INSERT INTO idempotency_keys (key_hash, body_hash, token_salt, account_id, link_id, link, created)
  SELECT key_hash, body_hash, token_salt, account_id, link_id, link::json, created
  FROM json_to_recordset($1) AS each (
    key_hash text, body_hash text, token_salt text, account_id text, link_id text, link text,
    created bigint
  )`;
const COUNT_LINKS = `
  INSERT INTO account_links AS known (account_id, total, imported, months)
  SELECT * FROM json_to_recordset($1) AS each (
    account_id text, total bigint, imported bigint, months jsonb
  )
  ON CONFLICT (account_id) DO UPDATE SET
    total = known.total + excluded.total,
    imported = known.imported + excluded.imported,
    months = known.months || (
      SELECT coalesce(jsonb_object_agg(month, links::bigint + coalesce(known.months->>month, '0')::bigint), '{}')
      FROM jsonb_each_text(excluded.months) AS each (month, links)
    )`;

/** Links with their further aliases and idempotency keys. They count for their accounts. */
export async function writeLinks(query: Query, records: CopyRecordOf<'link'>[]): Promise<void> {
  if (records.length === 0) return;
  const links = records.map(({ link }) => fromLinkJson(link, link.hits ?? 0));
  const rows = links.map((link, place) => {
    return { place, account_id: link.accountId, ...toLinkRow(link) };
  });
  await query(ADD_LINKS, [JSON.stringify(rows)]);
  const further = links.flatMap(({ alias, accountId, furtherAliases }) =>
    furtherAliases.map((each) => ({
      key: each.toLowerCase(),
      account_id: accountId,
      current_key: alias.toLowerCase(),
    })),
  );
  await query(ADD_ALIASES, [JSON.stringify(further)]);
  const keys = records.flatMap(({ link, idempotency, first }) => {
    if (!idempotency) return [];
    const { keyHash, bodyHash, tokenSalt } = idempotency;
    const { hits: _, ...original } = first ?? link;
    return [
      {
        ...{ key_hash: keyHash, body_hash: bodyHash, token_salt: tokenSalt },
        ...{ account_id: link.accountId, link_id: link.id },
        ...{ link: JSON.stringify(original), created: link.created },
      },
    ];
  });
  await query(ADD_KEYS, [JSON.stringify(keys)]);
  const counts = new LinkCounts();
  for (const { accountId, created, importKey } of links) {
    const isImported = importKey !== null;
    counts.add(accountId, { total: 1, imported: isImported ? 1 : 0 });
    if (!isImported) counts.addToMonth(accountId, monthNumber(created), 1);
  }
  await counts.write(query);
}

/** Aliases without a link. */
export async function writeAliases(query: Query, records: CopyRecordOf<'alias'>[]): Promise<void> {
  if (records.length === 0) return;
  const rows = records.map(({ alias, accountId = '' }) => ({ key: alias, account_id: accountId }));
  await query(ADD_ALIASES, [JSON.stringify(rows)]);
}

/** What counts against quotas besides links. */
export async function writeQuotaUse(
  query: Query,
  records: CopyRecordOf<'quotaUse'>[],
): Promise<void> {
  const counts = new LinkCounts();
  for (const { accountId, month, count } of records) {
    if (month === undefined) counts.add(accountId, { total: 0, imported: count });
    else counts.addToMonth(accountId, month, count);
  }
  await counts.write(query);
}

/** Idempotency keys whose links were erased. */
export async function writeSpentKeys(
  query: Query,
  records: CopyRecordOf<'spentKey'>[],
): Promise<void> {
  if (records.length === 0) return;
  const rows = records.map(({ keyHash, created }) => {
    return { key_hash: keyHash, body_hash: '', account_id: '', link_id: '', created };
  });
  await query(ADD_KEYS, [JSON.stringify(rows)]);
}

type Counts = { total: number; imported: number; months: Record<string, number> };

/** What to add to `account_links`. */
class LinkCounts {
  readonly #counts = new Map<string, Counts>();

  add(accountId: string, { total, imported }: Pick<Counts, 'total' | 'imported'>): void {
    const counts = this.#of(accountId);
    counts.total += total;
    counts.imported += imported;
  }

  addToMonth(accountId: string, month: number, links: number): void {
    const { months } = this.#of(accountId);
    months[month] = (months[month] ?? 0) + links;
  }

  async write(query: Query): Promise<void> {
    if (this.#counts.size === 0) return;
    const rows = [...this.#counts].map(([account_id, counts]) => ({ account_id, ...counts }));
    await query(COUNT_LINKS, [JSON.stringify(rows)]);
  }

  #of(accountId: string): Counts {
    const known = this.#counts.get(accountId) ?? { total: 0, imported: 0, months: {} };
    this.#counts.set(accountId, known);
    return known;
  }
}
