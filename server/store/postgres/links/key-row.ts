import { fromLinkJson, type LinkJson } from '../../records/link-json.ts';
import type { UsedKey } from '../../records.ts';
import type { StoredLink } from './link-row.ts';

/** A row of `idempotency_keys`, with the link as it is. */
export type KeyRow = {
  key_hash: string;
  body_hash: string;
  token_salt: string | null;
  link_id: string;
  created: number;
  original: LinkJson | null;
} & (StoredLink | { id: null });

export const STORED_KEY = `key_hash, body_hash, token_salt, link_id, keys.created, keys.link AS original,
  links.id, links.hits, links.link`;
export const KEYS_WITH_LINKS =
  'idempotency_keys AS keys LEFT JOIN visible_links AS links ON links.id = link_id';

export const READ_KEYS = `SELECT ${STORED_KEY} FROM ${KEYS_WITH_LINKS} WHERE key_hash = ANY ($1)`;
export const LOCK_KEYS = `${READ_KEYS} ORDER BY key_hash FOR UPDATE OF keys`;

export function fromKeyRow(row: KeyRow): UsedKey {
  const { body_hash: bodyHash, token_salt: tokenSalt, link_id: linkId, created, original } = row;
  return {
    ...{ bodyHash, tokenSalt, linkId, created },
    original: original && fromLinkJson(linkId, original),
  };
}
