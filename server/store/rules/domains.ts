import type { Authorization } from '../account.ts';
import {
  allowsAccount,
  type DomainSettings,
  hostOfAlias,
  type NewDomain,
  NO_SETTINGS,
  type StoredDomain,
} from '../domains.ts';
import { type Change, type Decision, type Facts, unchanged } from './change.ts';

/** See `Administration.addDomain`. */
export function addDomain(domain: NewDomain): Change<boolean> {
  return {
    needs: () => ({ domains: [domain.host] }),
    decide: (facts) => {
      const known = facts.get('domain', domain.host);
      if (known?.removed === null) return unchanged(false);
      return write({ ...NO_SETTINGS, ...known, ...domain, removed: null }, true);
    },
  };
}

/** See `Administration.forgetDomain`. */
export function forgetDomain(host: string, removed: number): Change<boolean> {
  return {
    needs: () => ({ domains: [host] }),
    decide: (facts) =>
      facts.get('domain', host)?.removed === removed
        ? { outcome: true, records: [['domain', host, null]] }
        : unchanged(false),
  };
}

/** Returns the hosts of aliases that are not on the domain of `BASE_URL`. */
export function hostsOf(aliases: Iterable<string>): string[] {
  const hosts = [...aliases].flatMap((alias) => hostOfAlias(alias) ?? []);
  return [...new Set(hosts)];
}

/** Whether an account can get an alias, as far as its domain is concerned. Needs it in `usedDomains`. */
export function canUseDomainOf(
  facts: Pick<Facts, 'get'>,
  alias: string,
  { accountId, by }: { accountId: string; by: Authorization },
): boolean {
  const host = hostOfAlias(alias);
  if (host === undefined) return true;
  const domain = facts.get('domain', host);
  if (domain?.removed !== null) return false;
  return by.kind === 'administrator' || allowsAccount(domain, accountId);
}

/** See `Administration.editDomain`. */
export function editDomain(
  host: string,
  changes: Partial<DomainSettings>,
): Change<StoredDomain | undefined> {
  return changeDomain(host, (before) => {
    const domain = before && { ...before, ...changes };
    return domain ? write(domain, domain) : unchanged(undefined);
  });
}

/** See `Administration.removeDomain`. @param time milliseconds since the epoch */
export function removeDomain(host: string, time: number): Change<boolean> {
  return changeDomain(host, (before) =>
    before ? write({ ...before, removed: time }, true) : unchanged(false),
  );
}

/** @param decide gets the domain with this host that is in use */
function changeDomain<T>(
  host: string,
  decide: (before: StoredDomain | undefined) => Decision<T>,
): Change<T> {
  return {
    needs: () => ({ domains: [host] }),
    decide: (facts) => {
      const known = facts.get('domain', host);
      return decide(known?.removed === null ? known : undefined);
    },
  };
}

function write<T>(domain: StoredDomain, outcome: T): Decision<T> {
  return { outcome, records: [['domain', domain.host, domain]] };
}
