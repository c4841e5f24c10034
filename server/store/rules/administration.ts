import type { Block } from '../blocks.ts';
import { blockKey } from '../records.ts';
import { type Report, withReport } from '../reports.ts';
import { aliasesOf } from './aliases.ts';
import { type Change, type Needs, unchanged } from './change.ts';

/**
 * See `Administration.addBlock`. The account is locked, so that neither it nor its link is erased meanwhile,
 * which would leave the block.
 *
 * @param alias which the link must have
 * @param owner of a link that is blocked, as far as the driver must know it to lock it
 */
export function addBlock(block: Block, alias?: string, owner?: string): Change<boolean> {
  const { kind, value, reason, since } = block;
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
      return { outcome: true, records: [['block', blockKey(block), { reason, since }]] };
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
