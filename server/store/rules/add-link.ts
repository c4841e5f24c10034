import type { AddLinkOutcome, Link, NewLink } from '../link.ts';
import { toLink } from '../records/link-json.ts';
import type { StoreRecord } from '../records.ts';
import { type AliasState, aliasState } from './aliases.ts';
import { authorized } from './authorized.ts';
import { type Change, type Decision, unchanged } from './change.ts';
import { canUseDomainOf, hostsOf } from './domains.ts';
import { countBesides, countLinks, hasRoom, quotaKeyOf } from './quota.ts';
import { decideRoom, roomNeeds } from './room.ts';
import { contentBytes, hasTooLongTargets, unitsOf } from './size.ts';
import { findUsedKey } from './used-keys.ts';
import type { View } from './view.ts';

/** See `Store.addLink`. Its needs can only be told if it names few aliases. */
export function addLink(newLink: NewLink): Change<AddLinkOutcome> {
  const { by, link, aliases, idempotency, room } = newLink;
  const needs = () => ({
    addsAccounts: true,
    aliases: [...aliases, ...(link.previousAliases ?? [])].map((each) => each.toLowerCase()),
    keys: idempotency ? [idempotency.keyHash] : [],
    importKeys: link.importKey ? [link.importKey] : [],
    usedDomains: hostsOf([...aliases, ...(link.previousAliases ?? [])]),
    ...roomNeeds(room),
  });
  return authorized(by, link.accountId, needs, (view) => decide(view, newLink));
}

function decide(view: View, newLink: NewLink): Decision<AddLinkOutcome> {
  const { link: content, newAccount, idempotency, quota, room } = newLink;
  const { accountId, created, importKey = null } = content;
  if (view.isDeleted(accountId)) return unchanged({ kind: 'account_deleted' });
  const known = idempotency && findUsedKey(view, idempotency.keyHash, created);
  if (known) {
    const { link, ...replay } = known;
    // A retry that arrives late must not bring back a link that was purged.
    const isSame = link && replay.bodyHash === idempotency.bodyHash;
    return unchanged(
      isSame ? { kind: 'replayed', replay: { ...replay, link } } : { kind: 'mismatch' },
    );
  }
  // Another server may import the same file.
  if (importKey !== null && view.hasImportKey(accountId, importKey)) {
    return unchanged({ kind: 'imported_before' });
  }
  const canUse = (each: string) => canUseDomainOf(view, each, { accountId, by: newLink.by });
  const wanted = content.previousAliases?.filter(canUse) ?? [];
  const stateOf = (each: string) => aliasState(view.holder(each.toLowerCase()), accountId);
  const alias = firstAvailable(newLink.aliases, stateOf);
  // The domain may have been removed, or taken from the account, since the caller looked at it.
  if (alias !== undefined && !canUse(alias)) return unchanged({ kind: 'domain_unusable' });
  const wished = toLink({ ...content, alias: alias ?? '' });
  if (hasTooLongTargets(wished)) return unchanged({ kind: 'targets_too_long' });
  const bytes = contentBytes(wished);
  const { month, imported } = countLinks(view, accountId, created);
  const used = importKey === null ? month : imported;
  const counted = decideRoom(view, room, bytes);
  if (typeof counted === 'string') return unchanged({ kind: counted });
  // A reserved word, or no alias that could be tried.
  if (alias === undefined) {
    const fits = hasRoom({ used, max: quota }, unitsOf(bytes));
    return unchanged({ kind: fits ? 'alias_taken' : 'quota_exceeded' });
  }
  const decision = decideAdd(
    { link: { importKey, previousAliases: wanted }, quota },
    { alias, stateOf, used, units: unitsOf(bytes) },
  );
  if (decision.kind !== 'add') return unchanged(decision);

  const { previousAliases, cost } = decision;
  const link = toLink({ ...content, alias, previousAliases });
  // The link itself counts as one.
  const records: StoreRecord[] = [...countBesides(view, quotaKeyOf(link), cost - 1), ...counted];
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
  /** See `unitsOf`. */
  units: number;
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
  { alias, stateOf, used, units }: AddFacts,
): DecidedAdd | { kind: 'alias_taken' | 'quota_exceeded' } {
  const keys = new Set([alias.toLowerCase()]);
  const previousAliases = link.previousAliases.filter((each) => {
    const key = each.toLowerCase();
    return !keys.has(key) && keys.add(key) && stateOf(each) !== 'taken';
  });
  const state = stateOf(alias);
  // A link that is made counts in any case, and an imported one as its aliases do. What makes a link large
  // always counts.
  const own = link.importKey !== null && state === 'own' ? 0 : 1;
  const cost =
    own + units - 1 + previousAliases.filter((each) => stateOf(each) === 'unused').length;
  if (!hasRoom({ used, max: quota }, cost)) return { kind: 'quota_exceeded' };
  if (state === 'taken') return { kind: 'alias_taken' };
  return { kind: 'add', previousAliases, cost };
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
