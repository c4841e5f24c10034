import type { DomainSettings, StoredDomain } from '../domains.ts';
import { type Change, type Decision, unchanged } from './change.ts';

/** See `Administration.addDomain`. */
export function addDomain(domain: StoredDomain): Change<boolean> {
  return changeDomain(domain.host, (known) => (known ? unchanged(false) : write(domain, true)));
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
    decide: (view) => {
      const known = view.get('domain', host);
      return decide(known?.removed === null ? known : undefined);
    },
  };
}

function write<T>(domain: StoredDomain, outcome: T): Decision<T> {
  return { outcome, records: [['domain', domain.host, domain]] };
}
