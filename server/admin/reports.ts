import type { z } from 'zod';
import type { ReportedLink, reportsQuerySchema } from '../../shared/admin/reports.ts';
import { LIST_LIMIT_DEFAULT } from '../../shared/bounds.ts';
import { ServiceError } from '../lib/service-error.ts';
import { isoTime } from '../links/to-link-record.ts';
import type { Authorization } from '../store/account.ts';
import { InvalidPositionError } from '../store/administration.ts';
import { linkStatus } from '../store/link.ts';
import type { ReportedLink as StoredReports } from '../store/reports.ts';
import { type AuditDependencies, audited } from './audit.ts';
import { readPage, toCursor } from './cursor.ts';
import { type AllLinksDependencies, toAdminLink } from './list-all-links.ts';

/** Links that nobody needs to look at any more. */
const SETTLED = ['blocked', 'deleted'];

/**
 * Lists a page of reported links, reported last first. Blocked ones are left out until their block ends.
 *
 * @throws ServiceError `invalid_request`
 */
export async function listReports(
  { limit = LIST_LIMIT_DEFAULT, cursor }: z.output<typeof reportsQuerySchema>,
  dependencies: AllLinksDependencies,
): Promise<{ data: ReportedLink[]; nextCursor: string | null }> {
  const now = dependencies.clock();
  const { administration } = dependencies.store;
  const all = (await administration.listReports())
    .map((reported) => ({ ...reported, position: positionOf(reported) }))
    .sort((one, other) => (one.position > other.position ? -1 : 1));
  const rest = await readPage(cursor, async (after) => {
    if (after === null) return all;
    if (!POSITION.test(after)) throw new InvalidPositionError();
    return all.filter(({ position }) => position < after);
  });
  const data: ReportedLink[] = [];
  let last: string | null = null;
  for (const { position, ...reported } of rest) {
    const link = await administration.findLinkById(reported.linkId);
    if (!link || SETTLED.includes(linkStatus(link, now, dependencies.blocks))) continue;
    if (data.length === limit) return { data, nextCursor: toCursor(last) };
    const reports = reported.reports.map((report) => ({ ...report, time: isoTime(report.time) }));
    data.push({ link: toAdminLink(link, dependencies, now), count: reported.count, reports });
    last = position;
  }
  return { data, nextCursor: null };
}

/** @param alias as the store has it. @throws ServiceError `not_found` */
export async function dismissReports(
  alias: string,
  by: Authorization,
  dependencies: AuditDependencies,
): Promise<void> {
  const { administration } = dependencies.store;
  const link = await dependencies.store.findLink(alias);
  if (!link) throw notReported(alias);
  const target = `link ${link.alias} (${link.id})`;
  await audited(dependencies, { action: 'report.dismiss', target, details: {}, by }, async () => {
    if (!(await administration.removeReports(link.id))) throw notReported(alias);
  });
}

const POSITION = /^\d{16} \S+$/;

/** Comparable as texts. IDs decide between links that were reported at the same time. */
function positionOf({ linkId, reports: [latest] }: StoredReports): string {
  return `${String(latest?.time ?? 0).padStart(16, '0')} ${linkId}`;
}

function notReported(alias: string): ServiceError {
  return new ServiceError('not_found', `There are no reports of a link with the alias "${alias}".`);
}
