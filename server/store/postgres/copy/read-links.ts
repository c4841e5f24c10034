import type { Client } from 'pg';
import { IDEMPOTENCY_WINDOW_MS } from '../../../../shared/limits.ts';
import type { CopyRecord } from '../../copy/copy-record.ts';
import { monthNumber } from '../../json-file/memory/account-table.ts';
import type { LinkJson } from '../../records/link-json.ts';
import { readPages } from './read-pages.ts';

type LinkRow = {
  number: number;
  link: LinkJson;
  hits: number;
  key_hash: string | null;
  body_hash: string;
  token_salt: string | null;
  first: LinkJson;
};
type AliasRow = { key: string; account_id: string };
type MonthsRow = { account_id: string; months: Record<string, number> };
type KeyRow = { key_hash: string; created: number };

/** An account that was deleted, whose links may not be erased yet. */
const IS_DELETED =
  'EXISTS (SELECT FROM account_links d WHERE d.account_id = a.account_id AND d.is_deleted)';
const LINKS = `
  SELECT a.number, a.link, a.hits, k.key_hash, k.body_hash, k.token_salt, k.link AS first
  FROM aliases a LEFT JOIN idempotency_keys k ON k.link_id = a.id AND k.created > $2
  WHERE a.id IS NOT NULL AND a.number > $1 AND NOT ${IS_DELETED} ORDER BY a.number`;
const ALIASES = `
  SELECT key, CASE WHEN ${IS_DELETED} THEN '' ELSE account_id END AS account_id FROM aliases a
  WHERE key > $1 AND (id IS NULL AND current_key IS NULL OR ${IS_DELETED}) ORDER BY key`;
const MONTHS = `
  SELECT account_id, months FROM account_links
  WHERE account_id > $1 AND NOT is_deleted ORDER BY account_id`;
const SPENT_KEYS = `
  SELECT key_hash, created FROM idempotency_keys
  WHERE key_hash > $1 AND link IS NULL AND created > $2 ORDER BY key_hash`;

/** How many links that count against a quota the accounts have, in the months that are still asked for. */
export class RecentLinks {
  /** By account, then month. */
  readonly #counts = new Map<string, Map<number, number>>();
  /** A clock may be a little wrong. */
  readonly #first: number;

  constructor(now: number) {
    this.#first = monthNumber(now) - 1;
  }

  isRecent(month: number): boolean {
    return month >= this.#first;
  }

  add({ accountId, created, importKey }: LinkJson): void {
    const month = monthNumber(created);
    if (typeof importKey === 'string' || !this.isRecent(month)) return;
    const counts = this.#counts.get(accountId) ?? new Map<number, number>();
    counts.set(month, (counts.get(month) ?? 0) + 1);
    this.#counts.set(accountId, counts);
  }

  count(accountId: string, month: number): number {
    return this.#counts.get(accountId)?.get(month) ?? 0;
  }
}

export async function* readLinks(
  client: Client,
  now: number,
  recent: RecentLinks,
): AsyncGenerator<CopyRecord[]> {
  const page = { text: LINKS, before: -1, values: [now - IDEMPOTENCY_WINDOW_MS] };
  for await (const rows of readPages(client, page, ({ number }: LinkRow) => number)) {
    yield rows.map((row): CopyRecord => {
      const link = { ...row.link, ...(row.hits > 0 && { hits: row.hits }) };
      recent.add(link);
      if (row.key_hash === null) return { kind: 'link', link };
      const { key_hash: keyHash, body_hash: bodyHash, token_salt: tokenSalt, first } = row;
      return { kind: 'link', link, idempotency: { keyHash, bodyHash, tokenSalt }, first };
    });
  }
}

/** Aliases that no link has any more. */
export async function* readAliases(client: Client): AsyncGenerator<CopyRecord[]> {
  const page = { text: ALIASES, before: '' };
  for await (const rows of readPages(client, page, ({ key }: AliasRow) => key)) {
    yield rows.map(({ key, account_id: accountId }) => {
      return { kind: 'alias', alias: key, ...(accountId && { accountId }) };
    });
  }
}

/** What the quotas have beyond the links that exist. @param recent after all links were read */
export async function* readPurged(
  client: Client,
  recent: RecentLinks,
): AsyncGenerator<CopyRecord[]> {
  const page = { text: MONTHS, before: '' };
  for await (const rows of readPages(client, page, ({ account_id }: MonthsRow) => account_id)) {
    yield rows.flatMap(({ account_id: accountId, months }) =>
      Object.entries(months).flatMap(([key, made]): CopyRecord[] => {
        const month = Number(key);
        const links = made - recent.count(accountId, month);
        return recent.isRecent(month) && links > 0
          ? [{ kind: 'purged', accountId, month, links }]
          : [];
      }),
    );
  }
}

/** Idempotency keys whose links were erased. */
export async function* readSpentKeys(client: Client, now: number): AsyncGenerator<CopyRecord[]> {
  const page = { text: SPENT_KEYS, before: '', values: [now - IDEMPOTENCY_WINDOW_MS] };
  for await (const rows of readPages(client, page, ({ key_hash }: KeyRow) => key_hash)) {
    yield rows.map(({ key_hash: keyHash, created }) => ({ kind: 'spentKey', keyHash, created }));
  }
}
