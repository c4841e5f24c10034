import { addReport, removeReports } from '../../decide/reports.ts';
import type { LinkReports, Report, ReportedLink } from '../../reports.ts';
import type { Changes } from '../changes/changes.ts';
import type { Database } from '../database/database.ts';

const OF_LINKS = 'FROM reports JOIN visible_links ON visible_links.id = link_id';
const LIST = `SELECT link_id, reports ${OF_LINKS}`;
const COUNT = `SELECT count(*) AS count ${OF_LINKS}`;
const OWNER = 'SELECT account_id FROM visible_links WHERE id = $1';

/** What visitors say about links. */
export class ReportList {
  readonly #database: Database;
  readonly #changes: Changes;

  constructor(database: Database, changes: Changes) {
    this.#database = database;
    this.#changes = changes;
  }

  /** See `Administration.addReport`. Locks the account, so that the link is not erased meanwhile. */
  async add(linkId: string, report: Report): Promise<boolean> {
    const needs = await this.#needs(linkId);
    if (!needs) return false;
    return this.#changes.make(needs, (view) =>
      addReport(report, { link: view.link(linkId), before: view.reports(linkId) }),
    );
  }

  /** See `Administration.removeReports`. */
  async remove(linkId: string): Promise<boolean> {
    const needs = await this.#needs(linkId);
    if (!needs) return false;
    return this.#changes.make(needs, (view) => removeReports(linkId, view.reports(linkId)));
  }

  async list(): Promise<ReportedLink[]> {
    type Row = { link_id: string; reports: LinkReports };
    const rows = await this.#database.read<Row>(LIST, []);
    return rows.map(({ link_id: linkId, reports }) => ({ linkId, ...reports }));
  }

  async count(): Promise<number> {
    const [row] = await this.#database.read<{ count: number }>(COUNT, []);
    return row?.count ?? 0;
  }

  async #needs(linkId: string) {
    const [row] = await this.#database.read<{ account_id: string }>(OWNER, [linkId]);
    return row && { accounts: [row.account_id], links: [linkId], reports: [linkId] };
  }
}
