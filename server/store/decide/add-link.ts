import { IDEMPOTENCY_WINDOW_MS } from '../../../shared/limits.ts';
import type { AddLinkOutcome, Idempotency, Link, NewLink } from '../link.ts';
import type { StoreRecord, UsedKey } from '../records.ts';
import { type AliasState, aliasState, type FindHolder } from './aliases.ts';
import { type Decision, unchanged } from './decision.ts';
import { countBesides, hasRoom, type QuotaUse, quotaKeyOf } from './quota.ts';

export type AddLinkFacts = {
  isAccountDeleted: boolean;
  /** Of the call's idempotency key, with the link as created; null once it was purged. */
  usedKey: { key: UsedKey; link: Link | null } | undefined;
  use: QuotaUse;
  holderOf: FindHolder;
};

/** See `Store.addLink`. */
export function addLink(newLink: NewLink, facts: AddLinkFacts): Decision<AddLinkOutcome> {
  const { link: content, newAccount, idempotency, quota } = newLink;
  const { accountId, created, importKey } = content;
  if (facts.isAccountDeleted) return unchanged({ kind: 'account_deleted' });
  if (idempotency && facts.usedKey && !hasExpired(facts.usedKey.key, created)) {
    return unchanged(replay(idempotency, facts.usedKey));
  }
  const stateOf = (each: string) => aliasState(facts.holderOf(each), accountId);
  const alias = firstAvailable(newLink.aliases, stateOf);
  if (alias === undefined) return unchanged({ kind: 'alias_taken' });
  const { month, imported } = facts.use;
  const used = importKey === null ? month : imported;
  const decision = decideAdd({ link: content, quota }, { alias, stateOf, used });
  if (decision.kind !== 'add') return unchanged(decision);

  const { previousAliases, cost } = decision;
  const link: Link = { ...content, alias, previousAliases };
  // The link itself counts as one.
  const records: StoreRecord[] = countBesides(facts.use, quotaKeyOf(link), cost - 1);
  if (newAccount) records.push(['account', newAccount.id, newAccount]);
  records.push(['link', link.id, link]);
  if (idempotency) {
    const { keyHash, bodyHash, tokenSalt } = idempotency;
    const key = { bodyHash, tokenSalt, linkId: link.id, created, original: null };
    records.push(['key', keyHash, key]);
  }
  const usedInMonth = month + (importKey === null ? cost : 0);
  return { outcome: { kind: 'added', link, usedInMonth }, records };
}

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
  previousAliases: string[];
  /** What the link counts against the quota. */
  cost: number;
};

/** What becomes of a new link whose idempotency key is unknown; also for the dry run of an import. */
export function decideAdd(
  { link, quota }: { link: Pick<Link, 'previousAliases' | 'importKey'>; quota: number },
  { alias, stateOf, used }: AddFacts,
): DecidedAdd | { kind: 'alias_taken' | 'quota_exceeded' } {
  const keys = new Set([alias.toLowerCase()]);
  const previousAliases = link.previousAliases.filter((each) => {
    const key = each.toLowerCase();
    return !keys.has(key) && keys.add(key) && stateOf(each) !== 'taken';
  });
  const state = stateOf(alias);
  // A link that is made counts in any case, and an imported one as its aliases do.
  const own = link.importKey !== null && state === 'own' ? 0 : 1;
  const cost = own + previousAliases.filter((each) => stateOf(each) === 'unused').length;
  if (!hasRoom({ used, max: quota }, cost)) return { kind: 'quota_exceeded' };
  if (state === 'taken') return { kind: 'alias_taken' };
  return { kind: 'add', previousAliases, cost };
}

export function hasExpired({ created }: Pick<UsedKey, 'created'>, now: number): boolean {
  return now >= created + IDEMPOTENCY_WINDOW_MS;
}

/** If there is none, any alias: the quota is checked first. */
function firstAvailable(
  aliases: Iterable<string>,
  stateOf: (alias: string) => AliasState,
): string | undefined {
  let last: string | undefined;
  for (const alias of aliases) {
    if (stateOf(alias) !== 'taken') return alias;
    last = alias;
  }
  return last;
}

/** A retry that arrives late must not bring back a link that was purged. */
function replay(
  idempotency: Idempotency,
  { key: { bodyHash, tokenSalt }, link }: { key: UsedKey; link: Link | null },
): AddLinkOutcome {
  if (!link || bodyHash !== idempotency.bodyHash) return { kind: 'mismatch' };
  return { kind: 'replayed', replay: { ...idempotency, tokenSalt, link } };
}
