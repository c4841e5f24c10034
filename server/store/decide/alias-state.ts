/**
 * Whether an account can have an alias. `unused`: nobody has ever had it, so having it counts against a
 * quota. `own`: only this account has had it, and no link has it any more. `taken`: it belongs to a link,
 * or to another account.
 */
export type AliasState = 'unused' | 'own' | 'taken';

/** How many aliases become reserved if an account gets these. */
export function countNew(states: AliasState[]): number {
  return states.filter((state) => state === 'unused').length;
}
