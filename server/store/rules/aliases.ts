import type { Authorization } from '../account.ts';
import { hostOfAlias, isLink, type Link } from '../link.ts';
import type { ReservedAlias, StoreRecord } from '../records.ts';
import { allowsAccount, type StoredDomain } from '../stored-domains.ts';

/** Who has an alias: the link that it leads to, or the account that it is reserved for. */
export type AliasHolder = Link | ReservedAlias;

/**
 * Whether an account can have an alias. `unused`: nobody has ever had it, so having it counts against a
 * quota. `own`: only this account has had it, and no link has it any more. `taken`: it belongs to a link,
 * or to another account.
 */
export type AliasState = 'unused' | 'own' | 'taken';

/** @param accountId undefined for a new account */
export function aliasState(
  holder: Pick<Link, 'id' | 'accountId'> | ReservedAlias | undefined,
  accountId: string | undefined,
): AliasState {
  if (holder === undefined) return 'unused';
  return !isLink(holder) && holder.accountId === accountId ? 'own' : 'taken';
}

/** Returns all aliases of a link, in lower case. */
export function aliasesOf({
  alias,
  previousAliases,
}: Pick<Link, 'alias' | 'previousAliases'>): string[] {
  if (previousAliases.length === 0) return [alias.toLowerCase()];
  return [alias, ...previousAliases].map((each) => each.toLowerCase());
}

/** @param accountId who can use them again; an empty string if they are permanently reserved */
export function reserve(aliases: readonly string[], accountId: string): StoreRecord[] {
  return aliases.map((alias) => ['alias', alias, { accountId }]);
}

/** Returns the hosts of aliases that are not on the domain of `BASE_URL`. */
export function hostsOf(aliases: Iterable<string>): string[] {
  const hosts = [...aliases].flatMap((alias) => hostOfAlias(alias) ?? []);
  return [...new Set(hosts)];
}

/** Whether an account can get an alias, as far as its domain is concerned. Needs it in `usedDomains`. */
export function canUseDomainOf(
  facts: { get(kind: 'domain', host: string): StoredDomain | undefined },
  alias: string,
  { accountId, by }: { accountId: string; by: Authorization },
): boolean {
  const host = hostOfAlias(alias);
  if (host === undefined) return true;
  const domain = facts.get('domain', host);
  if (domain?.removed !== null) return false;
  return by.kind === 'administrator' || allowsAccount(domain, accountId);
}
