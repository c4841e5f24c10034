import { type Report, withReport } from '../reports.ts';
import { type Change, type Needs, unchanged } from './change.ts';

/**
 * See `Administration.addReport`. The account is locked, so that the link is not erased meanwhile.
 *
 * @param owner of the link, as far as the driver must know it to lock it
 */
export function addReport(linkId: string, report: Report, owner?: string): Change<boolean> {
  return {
    needs: () => needsOf(linkId, owner),
    decide: (view) => {
      if (!view.get('link', linkId)) return unchanged(false);
      const reports = withReport(report, view.get('report', linkId));
      return { outcome: true, records: [['report', linkId, reports]] };
    },
  };
}

/** See `Administration.removeReports`. @param owner see `addReport` */
export function removeReports(linkId: string, owner?: string): Change<boolean> {
  return {
    needs: () => needsOf(linkId, owner),
    decide: (view) => {
      if (!view.get('link', linkId) || !view.get('report', linkId)) return unchanged(false);
      return { outcome: true, records: [['report', linkId, null]] };
    },
  };
}

function needsOf(linkId: string, owner: string | undefined): Needs {
  return { accounts: owner === undefined ? [] : [owner], links: [linkId], reports: [linkId] };
}
