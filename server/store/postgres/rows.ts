import { urlsOf } from '../../../shared/links/destinations.ts';
import { searchedText } from '../../../shared/links/searched-text.ts';
import { foldSearched } from '../../../shared/text.ts';
import { hostAndDomains, hostOfUrl } from '../../lib/host-name.ts';
import type { Account, Token } from '../account.ts';
import { fromLinkJson, type Link, type LinkJson, toLinkJson } from '../link.ts';
import { aliasOrder, foldedTags } from '../lists/link-filter.ts';
import {
  type AccountJson,
  fromAccountJson,
  fromTokenJson,
  type TokenJson,
  toAccountJson,
  toTokenJson,
  type UsedKey,
} from '../records.ts';

/** What is read of a row of `links`. */
export type LinkRow = { id: string; hits: number; link: LinkJson };

/** The columns of `LinkRow`. */
export const STORED_LINK = 'id, hits, link';

type Column = [type: string, toValue: (link: Link, json: LinkJson) => unknown];

/** The columns of `links`: of which type each is sent, and what it has. */
export const LINK_COLUMNS = {
  id: ['text', ({ id }) => id],
  account_id: ['text', ({ accountId }) => accountId],
  created: ['bigint', ({ created }) => created],
  deleted_at: ['bigint', ({ deletedAt }) => deletedAt],
  hits: ['bigint', ({ hits }) => hits],
  link: ['text', (_, json) => JSON.stringify(json)],
  reversed_host: ['text', ({ targetUrl }) => reversedHost(hostOfUrl(targetUrl))],
  other_hosts: ['text[]', otherHosts],
  alias_order: ['text', aliasOrder],
  search_text: ['text', (_, json) => searchable(searchedText(json))],
  tags: ['text[]', (_, json) => foldedTags(json).map(searchable)],
  tag_names: ['text[]', ({ tags }) => tags.map(searchable)],
  import_key: ['text', ({ importKey }) => importKey],
} satisfies Record<string, Column>;

/** Returns a row of `links`. */
export function toLinkRow(link: Link): Record<keyof typeof LINK_COLUMNS, unknown> {
  // Hits have a column of their own, which others write, too.
  const { hits: _, ...json } = toLinkJson(link);
  const columns: [string, Column][] = Object.entries(LINK_COLUMNS);
  return Object.fromEntries(columns.map(([name, [, of]]) => [name, of(link, json)])) as Record<
    keyof typeof LINK_COLUMNS,
    unknown
  >;
}

export function fromLinkRow({ id, link, hits }: LinkRow): Link {
  return fromLinkJson(id, { ...link, hits });
}

function otherHosts({ rules, goneUrl, card }: Link): string[] {
  return urlsOf({ rules, goneUrl, card }).flatMap(({ url }) => [...hostAndDomains(hostOfUrl(url))]);
}

/** Returns `com.example.www.` for `www.example.com`. */
export function reversedHost(host: string): string {
  return `${host.split('.').reverse().join('.')}.`;
}

/** Returns a text without the character that PostgreSQL cannot store, and with another one for half characters. */
export function searchable(text: string): string {
  return text.replaceAll('\0', '\ufffd').toWellFormed();
}

/** A row of `idempotency_keys`, with the link as it is. */
export type KeyRow = {
  key_hash: string;
  body_hash: string;
  token_salt: string | null;
  link_id: string;
  created: number;
  original: LinkJson | null;
} & (LinkRow | { id: null });

export const STORED_KEY = `key_hash, body_hash, token_salt, link_id, keys.created, keys.link AS original,
  links.id, links.hits, links.link`;
export const KEYS_WITH_LINKS =
  'idempotency_keys AS keys LEFT JOIN visible_links AS links ON links.id = link_id';

export const READ_KEYS = `SELECT ${STORED_KEY} FROM ${KEYS_WITH_LINKS} WHERE key_hash = ANY ($1)`;
export const LOCK_KEYS = `${READ_KEYS} ORDER BY key_hash FOR UPDATE OF keys`;

export function fromKeyRow(row: KeyRow): UsedKey {
  const { body_hash: bodyHash, token_salt: tokenSalt, link_id: linkId, created, original } = row;
  const key = { bodyHash, tokenSalt, linkId, created };
  return original ? { ...key, original: fromLinkJson(linkId, original) } : key;
}

/** What is read of a row of `accounts`. */
export type AccountRow = { id: string; account: AccountJson | null };

/** What is read of a row of `tokens`. */
export type TokenRow = { token_hash: string; token: TokenJson; last_used_on: number | null };

/** The columns of `TokenRow`. */
export const STORED_TOKEN = 'token_hash, token, last_used_on';

/** Oldest first. */
export const LIST_TOKENS = `SELECT ${STORED_TOKEN} FROM tokens WHERE account_id = ANY ($1) ORDER BY number`;

/** Nobody can see its links afterwards; maintenance erases them. */
export const DELETE_ACCOUNT = [
  `UPDATE accounts SET account = NULL, identity_hash = NULL, search_text = NULL,
      is_deleted = true, total = 0, quotas = '{}'
    WHERE id = $1`,
  'INSERT INTO accounts_to_erase (account_id) VALUES ($1)',
  'DELETE FROM tokens WHERE account_id = $1',
  // Operators make few blocks, so this reads few links.
  `DELETE FROM blocks WHERE key = 'account ' || $1 OR key LIKE 'link %' AND EXISTS (
      SELECT FROM links WHERE links.id = substr(key, 6) AND account_id = $1
    )`,
];

export function toAccountRow(account: Account) {
  return {
    id: account.id,
    identity_hash: account.identityHash ?? null,
    /** The text of its JSON. */
    account: JSON.stringify(toAccountJson(account)),
    search_text: searchable(foldSearched([account.id, account.name].join('\n'))),
  };
}

/** Returns the account of a row; undefined if it was deleted, or if only links name it. */
export function fromAccountRow({ id, account }: AccountRow): Account | undefined {
  return account ? fromAccountJson(id, account) : undefined;
}

export function fromTokenRow({ token_hash, token, last_used_on }: TokenRow): Token {
  return fromTokenJson(token_hash, { ...token, lastUsedOn: last_used_on });
}

export function toTokenRow(token: Token) {
  return {
    token_hash: token.tokenHash,
    account_id: token.accountId,
    last_used_on: token.lastUsedOn,
    /** The text of its JSON. */
    token: JSON.stringify(toTokenJson({ ...token, lastUsedOn: null })),
  };
}

/** Kinds of records whose tables have nothing but the key and the value, as JSON. */
export const PLAIN_TABLES = [
  ['block', 'blocks'],
  ['domain', 'domains'],
  ['report', 'reports'],
  ['day', 'days'],
  ['uptime', 'uptime'],
] as const;

/** A row of such a table. */
export type PlainRow<Value = unknown> = { key: string; value: Value };
