import { IDEMPOTENCY_WINDOW_MS } from '../../../shared/bounds.ts';
import { foldTag } from '../../../shared/text.ts';
import {
  changedLink,
  fromLinkJson,
  hasTooLongTargets,
  type Link,
  linkBytes,
  unitsOf,
} from '../link.ts';
import type { AddLinkOutcome, Idempotency, NewLink, Replay } from '../link-calls.ts';
import type { UsedKey } from '../records.ts';
import { recordsOf } from './accounts.ts';
import { type AliasState, aliasState, canUseDomainOf, hostsOf } from './aliases.ts';
import { authorized } from './authorize.ts';
import { type Change, type Decision, type Facts, unchanged } from './change.ts';
import {
  count,
  decideRoom,
  hasRoom,
  hasTooManyTags,
  monthlyQuota,
  quotaOf,
  roomNeeds,
  usedOf,
} from './quota.ts';

/** See `Store.addLink`. Its needs can only be told if it names few aliases. */
export function addLink(newLink: NewLink): Change<AddLinkOutcome> {
  const { by, link, aliases, idempotency, room } = newLink;
  const needs = () => ({
    newAccounts: [link.accountId],
    aliases: [...aliases, ...(link.previousAliases ?? [])].map((each) => each.toLowerCase()),
    idempotencyKeys: idempotency ? [idempotency.keyHash] : [],
    importKeys: link.importKey ? [link.importKey] : [],
    tags: (link.tags ?? []).map(foldTag),
    usedDomains: hostsOf([...aliases, ...(link.previousAliases ?? [])]),
    ...roomNeeds(room),
  });
  return authorized(by, link.accountId, needs, (facts) => decide(facts, newLink));
}

function decide(facts: Facts, newLink: NewLink): Decision<AddLinkOutcome> {
  const { link: content, newAccount, idempotency, quota, room } = newLink;
  const { accountId, created, importKey = null } = content;
  if (facts.isDeleted(accountId)) return unchanged({ kind: 'account_deleted' });
  const known = idempotency && findUsedKey(facts, idempotency.keyHash, created);
  if (known) {
    const { link, ...replay } = known;
    // A retry that arrives late must not bring back a link that was purged.
    const isSame = link && replay.bodyHash === idempotency.bodyHash;
    return unchanged(
      isSame ? { kind: 'replayed', replay: { ...replay, link } } : { kind: 'mismatch' },
    );
  }
  // Another server may import the same file.
  if (importKey !== null && facts.hasImportKey(accountId, importKey)) {
    return unchanged({ kind: 'imported_before' });
  }
  const canUse = (each: string) => canUseDomainOf(facts, each, { accountId, by: newLink.by });
  const wanted = content.previousAliases?.filter(canUse) ?? [];
  const stateOf = (each: string) => aliasState(facts.holder(each.toLowerCase()), accountId);
  const alias = firstAvailable(newLink.aliases, stateOf);
  // The domain may have been removed, or taken from the account, since the caller looked at it.
  if (alias !== undefined && !canUse(alias)) return unchanged({ kind: 'domain_unusable' });
  const requested = fromLinkJson(content.id, { ...content, alias: alias ?? '' });
  if (hasTooLongTargets(requested)) return unchanged({ kind: 'targets_too_long' });
  if (hasTooManyTags(facts, accountId, requested.tags)) return unchanged({ kind: 'too_many_tags' });
  const bytes = linkBytes(requested);
  const ownQuota = quotaOf({ accountId, created, importKey });
  const used = usedOf(facts, ownQuota);
  const counted = decideRoom(facts, room, bytes);
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
  const hasAll = previousAliases.length === requested.previousAliases.length;
  const link = hasAll ? requested : changedLink(requested, { previousAliases });
  const records = newAccount ? recordsOf(newAccount) : [];
  records.push(['link', link.id, link]);
  if (idempotency) {
    const { keyHash, bodyHash, tokenSalt } = idempotency;
    const key = { bodyHash, tokenSalt, linkId: link.id, created };
    records.push(['idempotencyKey', keyHash, key]);
  }
  records.push(...count(facts, ownQuota, cost), ...counted);
  const month = monthlyQuota(accountId, created);
  const usedInMonth = usedOf(facts, month) + (month === ownQuota ? cost : 0);
  return { outcome: { kind: 'added', link, usedInMonth }, records };
}

type AddFacts = {
  /** The first one of `aliases` that the account can have, or else any of them. */
  alias: string;
  stateOf: (alias: string) => AliasState;
  /** How much of `quota` is used. */
  used: number;
  /** See `unitsOf`. */
  units: number;
};

type DecidedAdd = {
  kind: 'add';
  /** The previous aliases that are available. */
  previousAliases: string[];
  /** What the link counts against the quota. */
  cost: number;
};

/** Returns what becomes of a new link whose idempotency key is unknown; also for the dry run of an import. */
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

/**
 * Finds what the call with an idempotency key has made: the link as created, or null once it was purged.
 *
 * @returns undefined if nobody has used the key, or if it has expired
 */
function findUsedKey(
  facts: Pick<Facts, 'get'>,
  keyHash: string,
  now: number,
): (Idempotency & { link: Link | null }) | undefined {
  const key = facts.get('idempotencyKey', keyHash);
  if (!key || hasExpired(key, now)) return undefined;
  const { bodyHash, tokenSalt, linkId, original } = key;
  const link = facts.get('link', linkId);
  return {
    keyHash,
    bodyHash,
    tokenSalt,
    link: link ? changedLink(original ?? link, { hits: 0 }) : null,
  };
}

/** See `Store.findReplay`. */
export function findReplay(...call: Parameters<typeof findUsedKey>): Replay | undefined {
  const used = findUsedKey(...call);
  return used?.link ? { ...used, link: used.link } : undefined;
}

/** How long a key is kept: a retry may start before it expires, and read the link a little later. */
export const KEY_KEPT_MS = IDEMPOTENCY_WINDOW_MS + 60_000;

/** Returns the key of a link that was purged: nobody gets the link, whatever the body. */
export function toSpent({ original: _, ...key }: UsedKey): UsedKey {
  return { ...key, bodyHash: '', tokenSalt: null };
}

function hasExpired({ created }: Pick<UsedKey, 'created'>, now: number): boolean {
  return now >= created + IDEMPOTENCY_WINDOW_MS;
}
