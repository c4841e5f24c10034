import type { DomainSettings, StoredDomain } from '../domains.ts';
import { type Decision, unchanged } from './decision.ts';

/** See `Administration.addDomain`. @param known of the same host */
export function addDomain(
  domain: StoredDomain,
  known: StoredDomain | undefined,
): Decision<boolean> {
  return isInUse(known) ? unchanged(false) : { outcome: true, records: [toRecord(domain)] };
}

/** See `Administration.editDomain`. */
export function editDomain(
  changes: Partial<DomainSettings>,
  before: StoredDomain | undefined,
): Decision<StoredDomain | undefined> {
  if (!isInUse(before)) return unchanged(undefined);
  const domain = { ...before, ...changes };
  return { outcome: domain, records: [toRecord(domain)] };
}

/** See `Administration.removeDomain`. @param time milliseconds since the epoch */
export function removeDomain(time: number, before: StoredDomain | undefined): Decision<boolean> {
  if (!isInUse(before)) return unchanged(false);
  return { outcome: true, records: [toRecord({ ...before, removed: time })] };
}

function isInUse(domain: StoredDomain | undefined): domain is StoredDomain {
  return domain?.removed === null;
}

function toRecord(domain: StoredDomain): ['domain', string, StoredDomain] {
  return ['domain', domain.host, domain];
}
