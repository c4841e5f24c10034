import type { Link } from '../link.ts';
import { type AliasState, countNew } from './alias-state.ts';
import { hasRoom } from './quota.ts';

export type AddFacts = {
  /** The first one of `aliases` that the account can have, or else any of them. */
  alias: string;
  stateOf: (alias: string) => AliasState;
  /** How much of `quota` is used. */
  used: number;
};

export type DecidedAdd = {
  kind: 'add';
  /** Those that are available. */
  furtherAliases: string[];
  /** What the link counts against the quota. */
  cost: number;
};

/** What becomes of a new link whose idempotency key is unknown. See `Store.addLink`. */
export function decideAdd(
  { link, quota }: { link: Pick<Link, 'furtherAliases' | 'importKey'>; quota: number },
  { alias, stateOf, used }: AddFacts,
): DecidedAdd | { kind: 'alias_taken' | 'quota_exceeded' } {
  const keys = new Set([alias.toLowerCase()]);
  const furtherAliases = link.furtherAliases.filter((each) => {
    const key = each.toLowerCase();
    return !keys.has(key) && keys.add(key) && stateOf(each) !== 'taken';
  });
  const state = stateOf(alias);
  // A link that is made counts in any case, and an imported one as its aliases do.
  const own = link.importKey !== null && state === 'own' ? 0 : 1;
  const cost = own + countNew(furtherAliases.map(stateOf));
  if (!hasRoom({ used, max: quota }, cost)) return { kind: 'quota_exceeded' };
  if (state === 'taken') return { kind: 'alias_taken' };
  return { kind: 'add', furtherAliases, cost };
}
