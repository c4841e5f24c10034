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
type MonthsRow = { account_id: string; months: Record<string, number> };
type SpentKeyRow = { key_hash: string; created: number };

const LINKS =
  'SELECT number, link, hits FROM aliases WHERE id IS NOT NULL AND number > $1 ORDER BY number';
const KEYS = 'SELECT * FROM idempotency_keys WHERE link_id = ANY ($1) AND created > $2';
const ALIASES = `
  SELECT key, account_id FROM aliases
  WHERE key > $1 AND (id IS NULL AND current_key IS NULL OR account_id = ANY ($2)) ORDER BY key`;
const MONTHS = `
  SELECT account_id, months FROM account_links
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
  deletedAccounts: Set<string>,
  now: number,
  recent: RecentLinks,
): AsyncGenerator<CopyRecord[]> {
  const page = { text: LINKS, before: -1 };
  for await (const rows of readPages(client, page, ({ number }: LinkRow) => number)) {
    const links = rows.filter(({ link }) => !deletedAccounts.has(link.accountId));
    const ids = links.map(({ link }) => link.id);
    const keys = await client.query<KeyRow>(KEYS, [ids, now - IDEMPOTENCY_WINDOW_MS]);
    const keyOf = new Map(keys.rows.map((key) => [key.link_id, key]));
    yield links.map(({ link: json, hits }): CopyRecord => {
      const link = { ...json, ...(hits > 0 && { hits }) };
      recent.add(link);
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
