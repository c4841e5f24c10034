import type { Block } from '../blocks.ts';
import { blockKey } from '../records.ts';
import { type Report, withReport } from '../reports.ts';
import {
  type DomainSettings,
  type NewDomain,
  NO_SETTINGS,
  type StoredDomain,
} from '../stored-domains.ts';
import { aliasesOf } from './aliases.ts';
import { type Change, type Decision, type Needs, unchanged } from './change.ts';

/**
 * See `Administration.addBlock`. The account is locked, so that neither it nor its link is erased meanwhile,
 * which would leave the block.
 *
 * @param alias which the link must have
 * @param owner of a link that is blocked, as far as the driver must know it to lock it
 */
export function addBlock(block: Block, alias?: string, owner?: string): Change<boolean> {
  // With what a newer version may have added.
  const { kind, value, ...stored } = block;
  const account = { link: owner, account: value, host: undefined }[kind];
  return {
    needs: () => ({
      accounts: account === undefined ? [] : [account],
      links: kind === 'link' ? [value] : [],
    }),
    decide: (facts) => {
      const link = facts.get('link', value);
      const isMeant =
        link !== undefined &&
        (owner ?? link.accountId) === link.accountId &&
        (alias === undefined || aliasesOf(link).includes(alias.toLowerCase()));
      const exists = {
        link: isMeant,
        account: facts.get('account', value) !== undefined,
        host: true,
      };
      if (!exists[kind]) return unchanged(false);
      return { outcome: true, records: [['block', blockKey(block), stored]] };
    },
  };
}

/** See `Administration.removeBlock`. */
export function removeBlock(block: Pick<Block, 'kind' | 'value'>): Change<boolean> {
  const key = blockKey(block);
  return {
    needs: () => ({ blocks: [key] }),
    decide: (facts) =>
      facts.get('block', key)
        ? { outcome: true, records: [['block', key, null]] }
        : unchanged(false),
  };
}

/**
 * See `Administration.addReport`. The account is locked, so that the link is not erased meanwhile.
 *
 * @param owner of the link, as far as the driver must know it to lock it
 */
export function addReport(linkId: string, report: Report, owner?: string): Change<boolean> {
  return {
    needs: () => needsOf(linkId, owner),
    decide: (facts) => {
      if (!facts.get('link', linkId)) return unchanged(false);
      const reports = withReport(report, facts.get('report', linkId));
      return { outcome: true, records: [['report', linkId, reports]] };
    },
  };
}

/** See `Administration.removeReports`. @param owner see `addReport` */
export function removeReports(linkId: string, owner?: string): Change<boolean> {
  return {
    needs: () => needsOf(linkId, owner),
    decide: (facts) => {
      if (!facts.get('link', linkId) || !facts.get('report', linkId)) return unchanged(false);
      return { outcome: true, records: [['report', linkId, null]] };
    },
  };
}

function needsOf(linkId: string, owner: string | undefined): Needs {
  return { accounts: owner === undefined ? [] : [owner], links: [linkId], reports: [linkId] };
}

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
