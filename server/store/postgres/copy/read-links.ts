import type { Client } from 'pg';
import { IDEMPOTENCY_WINDOW_MS } from '../../../../shared/limits.ts';
import type { CopyRecord } from '../../copy/copy-record.ts';
import type { LinkJson } from '../../records/link-json.ts';
import { monthNumber } from '../../records/month-number.ts';
import { readPages } from './read-pages.ts';

type LinkRow = { number: number; link: LinkJson; hits: number };
type KeyRow = {
  link_id: string;
  key_hash: string;
  body_hash: string;
  token_salt: string | null;
  link: LinkJson;
};
type AliasRow = { key: string; account_id: string };
type UseRow = { account_id: string; imported: number; months: Record<string, number> };
type SpentKeyRow = { key_hash: string; created: number };

const LINKS =
  'SELECT number, link, hits FROM aliases WHERE id IS NOT NULL AND number > $1 ORDER BY number';
const KEYS = 'SELECT * FROM idempotency_keys WHERE link_id = ANY ($1) AND created > $2';
const ALIASES = `
  SELECT key, account_id FROM aliases
  WHERE key > $1 AND (id IS NULL AND current_key IS NULL OR account_id = ANY ($2)) ORDER BY key`;
const USE = `
  SELECT account_id, imported, months FROM account_links
  WHERE account_id > $1 AND NOT is_deleted ORDER BY account_id`;
const SPENT_KEYS = `
  SELECT key_hash, created FROM idempotency_keys
  WHERE key_hash > $1 AND created > $2 AND (link IS NULL OR account_id = ANY ($3))
  ORDER BY key_hash`;

/** Deleted accounts. Some of their links may not be erased yet. */
export async function readDeletedAccounts(client: Client): Promise<Set<string>> {
  const text = 'SELECT account_id FROM account_links WHERE is_deleted';
  const { rows } = await client.query<{ account_id: string }>(text);
  return new Set(rows.map(({ account_id }) => account_id));
}

/** How many links that count against a quota the accounts have: imported, or of a month that is still asked for. */
export class CountedLinks {
  /** By account, then month; undefined for imported ones. */
  readonly #counts = new Map<string, Map<number | undefined, number>>();
  /** A clock may be a little wrong. */
  readonly #first: number;

  constructor(now: number) {
    this.#first = monthNumber(now) - 1;
  }

  isRecent(month: number): boolean {
    return month >= this.#first;
  }

  add({ accountId, created, importKey }: LinkJson): void {
    const month = typeof importKey === 'string' ? undefined : monthNumber(created);
    if (month !== undefined && !this.isRecent(month)) return;
    const counts = this.#counts.get(accountId) ?? new Map<number | undefined, number>();
    counts.set(month, (counts.get(month) ?? 0) + 1);
    this.#counts.set(accountId, counts);
  }

  count(accountId: string, month: number | undefined): number {
    return this.#counts.get(accountId)?.get(month) ?? 0;
  }
}

export async function* readLinks(
  client: Client,
  deletedAccounts: Set<string>,
  now: number,
  counted: CountedLinks,
): AsyncGenerator<CopyRecord[]> {
  const page = { text: LINKS, before: -1 };
  for await (const rows of readPages(client, page, ({ number }: LinkRow) => number)) {
    const links = rows.filter(({ link }) => !deletedAccounts.has(link.accountId));
    const ids = links.map(({ link }) => link.id);
    const keys = await client.query<KeyRow>(KEYS, [ids, now - IDEMPOTENCY_WINDOW_MS]);
    const keyOf = new Map(keys.rows.map((key) => [key.link_id, key]));
    yield links.map(({ link: json, hits }): CopyRecord => {
      const link = { ...json, ...(hits > 0 && { hits }) };
      counted.add(link);
      const key = keyOf.get(link.id);
      if (!key) return { kind: 'link', link };
      const { key_hash: keyHash, body_hash: bodyHash, token_salt: tokenSalt, link: first } = key;
      return { kind: 'link', link, idempotency: { keyHash, bodyHash, tokenSalt }, first };
    });
  }
}

/** Aliases that no link has any more. */
export async function* readAliases(
  client: Client,
  deletedAccounts: Set<string>,
): AsyncGenerator<CopyRecord[]> {
  const page = { text: ALIASES, before: '', values: [[...deletedAccounts]] };
  for await (const rows of readPages(client, page, ({ key }: AliasRow) => key)) {
    yield rows.map(({ key, account_id: accountId }) => {
      const hasOwner = accountId !== '' && !deletedAccounts.has(accountId);
      return { kind: 'alias', alias: key, ...(hasOwner && { accountId }) };
    });
  }
}

/** What counts besides the links that exist. @param counted after all links were read */
export async function* readQuotaUse(
  client: Client,
  counted: CountedLinks,
): AsyncGenerator<CopyRecord[]> {
  const page = { text: USE, before: '' };
  for await (const rows of readPages(client, page, ({ account_id }: UseRow) => account_id)) {
    yield rows.flatMap(({ account_id: accountId, imported, months }) => {
      const ofMonths = Object.entries(months).map(([key, count]) => ({
        month: Number(key),
        count,
      }));
      const all = [{ month: undefined, count: imported }, ...ofMonths];
      return all.flatMap(({ month, count: total }): CopyRecord[] => {
        const count = total - counted.count(accountId, month);
        if (count === 0 || (month !== undefined && !counted.isRecent(month))) return [];
        return [{ kind: 'quotaUse', accountId, ...(month !== undefined && { month }), count }];
      });
    });
  }
}

/** Idempotency keys whose links were erased. */
export async function* readSpentKeys(
  client: Client,
  deletedAccounts: Set<string>,
  now: number,
): AsyncGenerator<CopyRecord[]> {
  const values = [now - IDEMPOTENCY_WINDOW_MS, [...deletedAccounts]];
  const page = { text: SPENT_KEYS, before: '', values };
  for await (const rows of readPages(client, page, ({ key_hash }: SpentKeyRow) => key_hash)) {
    yield rows.map(({ key_hash: keyHash, created }) => ({ kind: 'spentKey', keyHash, created }));
  }
}
