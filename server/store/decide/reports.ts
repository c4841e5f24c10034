import type { Link } from '../link.ts';
import { type LinkReports, type Report, withReport } from '../reports.ts';
import { type Decision, unchanged } from './decision.ts';

/** See `Administration.addReport`. */
export function addReport(
  report: Report,
  { link, before }: { link: Link | undefined; before: LinkReports | undefined },
): Decision<boolean> {
  if (!link) return unchanged(false);
  return { outcome: true, records: [['report', link.id, withReport(report, before)]] };
}

/** See `Administration.removeReports`. */
export function removeReports(linkId: string, before: LinkReports | undefined): Decision<boolean> {
  return before ? { outcome: true, records: [['report', linkId, null]] } : unchanged(false);
}
