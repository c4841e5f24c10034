/** What a visitor says about a link. Nothing says who it was, unless they do. */
export type Report = {
  reason: string;
  /** How to reach the visitor, or an empty string. */
  contact: string;
  /** Milliseconds since the epoch, UTC. */
  time: number;
};

/** What visitors say about a link. */
export type LinkReports = {
  /** All of them. */
  count: number;
  /** The last ones, newest first. */
  reports: readonly Report[];
};

export type ReportedLink = LinkReports & { linkId: string };

/** More would tell administrators nothing new. */
const REPORTS_KEPT = 10;

export function withReport(report: Report, before: LinkReports | undefined): LinkReports {
  const { count = 0, reports = [] } = before ?? {};
  return { ...before, count: count + 1, reports: [report, ...reports].slice(0, REPORTS_KEPT) };
}
