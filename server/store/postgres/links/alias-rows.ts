import type { AliasState } from '../../decide/alias-state.ts';
import type { Query, Statement } from '../database/statement.ts';

const READ: Statement = {
  name: 'read_aliases',
  text: `SELECT key, account_id = $2 AND id IS NULL AND current_key IS NULL AS is_own
    FROM aliases WHERE key = ANY ($1)`,
};
/** All servers lock them in one order. */
const CLAIM: Statement = {
  name: 'claim_aliases',
  text: `INSERT INTO aliases (key, account_id)
    SELECT key, $2 FROM unnest($1::text[]) AS key ORDER BY key
    ON CONFLICT DO NOTHING RETURNING key`,
};
const RELEASE: Statement = {
  name: 'release_aliases',
  text: 'DELETE FROM aliases WHERE key = ANY ($1)',
};

/** By key. */
export type AliasStates = Map<string, AliasState>;

/** @param keys of aliases: those in lower case */
export async function readAliasStates(
  query: Query,
  keys: readonly string[],
  accountId: string | undefined,
): Promise<AliasStates> {
  const rows = await query<{ key: string; is_own: boolean }>(READ, [keys, accountId ?? null]);
  const found = new Map(rows.map(({ key, is_own }) => [key, is_own]));
  return new Map(keys.map((key) => [key, toState(found.get(key))]));
}

/**
 * Reserves the aliases that nobody has ever had, so that their states cannot change until the transaction
 * ends. The account must be locked.
 */
export async function claimAliases(
  query: Query,
  keys: readonly string[],
  accountId: string,
): Promise<AliasStates> {
  const claimed = await query<{ key: string }>(CLAIM, [keys, accountId]);
  const states = await readAliasStates(query, keys, accountId);
  for (const { key } of claimed) states.set(key, 'unused');
  return states;
}

/** For those that were claimed in this transaction, and are not needed. */
export async function releaseAliases(query: Query, keys: readonly string[]): Promise<void> {
  if (keys.length > 0) await query(RELEASE, [keys]);
}

function toState(isOwn: boolean | undefined): AliasState {
  if (isOwn === undefined) return 'unused';
  return isOwn ? 'own' : 'taken';
}
