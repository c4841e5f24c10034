import type { Account, AccountChanges, Authorization } from '../../account.ts';
import type {
  AccountPage,
  AccountQuery,
  Administration,
  AllLinksPage,
  AllLinksQuery,
  AuditEntry,
  AuditPage,
  AuditQuery,
  MoveLinkOutcome,
} from '../../administration.ts';
import type { Block } from '../../blocks.ts';
import { editAccount } from '../../decide/accounts.ts';
import { addBlock, removeBlock } from '../../decide/blocks.ts';
import { addDomain, editDomain, removeDomain } from '../../decide/domains.ts';
import { moveLink } from '../../decide/move-link.ts';
import { addReport, removeReports } from '../../decide/reports.ts';
import type { DomainSettings, StoredDomain } from '../../domains.ts';
import type { Link, OwnLink } from '../../link.ts';
import type { LinkReports, Report, ReportedLink } from '../../reports.ts';
import { type AccountRow, fromAccountRow } from '../accounts/account-row.ts';
import type { Changes } from '../changes/changes.ts';
import type { Database } from '../database/database.ts';
import type { PlainRow } from '../database/plain-tables.ts';
import type { LinkFinder } from '../links/link-finder.ts';
import type { LinkLists } from '../links/link-lists.ts';
import { listAccounts } from './all-accounts.ts';
import { AuditLog } from './audit-log.ts';

const READ_ACCOUNT = 'SELECT id, account FROM accounts WHERE id = $1';
const OWNER_OF_LINK = 'SELECT account_id FROM visible_links WHERE id = $1';
const REPORTED_LINKS = 'FROM reports JOIN visible_links ON visible_links.id = key';

type Parts = {
  database: Database;
  changes: Changes;
  finder: LinkFinder;
  lists: LinkLists;
};

/** See `Administration`. */
export class PostgresAdministration implements Administration {
  readonly #parts: Parts;
  readonly #audit: AuditLog;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#audit = new AuditLog(parts.database);
  }

  async findAccount(id: string): Promise<Account | undefined> {
    const [row] = await this.#parts.database.read<AccountRow>(READ_ACCOUNT, [id]);
    return row && fromAccountRow(row);
  }

  editAccount(
    id: string,
    changes: AccountChanges,
    by?: Authorization,
  ): Promise<Account | undefined> {
    return this.#parts.changes.make(editAccount(id, changes, by));
  }

  listAccounts(query: AccountQuery): Promise<AccountPage> {
    return listAccounts(this.#parts.database, query);
  }

  moveLink(link: OwnLink, to: string): Promise<MoveLinkOutcome> {
    return this.#parts.changes.make(moveLink(link, to));
  }

  listAllLinks(query: AllLinksQuery): Promise<AllLinksPage> {
    return this.#parts.lists.pageOfAll(query);
  }

  async addBlock(block: Block): Promise<boolean> {
    const owner = block.kind === 'link' ? await this.#ownerOf(block.value) : undefined;
    return this.#parts.changes.make(addBlock(block, owner));
  }

  removeBlock(block: Pick<Block, 'kind' | 'value'>): Promise<boolean> {
    return this.#parts.changes.make(removeBlock(block));
  }

  addDomain(domain: StoredDomain): Promise<boolean> {
    return this.#parts.changes.make(addDomain(domain));
  }

  editDomain(host: string, changes: Partial<DomainSettings>): Promise<StoredDomain | undefined> {
    return this.#parts.changes.make(editDomain(host, changes));
  }

  removeDomain(host: string, time: number): Promise<boolean> {
    return this.#parts.changes.make(removeDomain(host, time));
  }

  findLinkById(id: string): Promise<Link | undefined> {
    return this.#parts.finder.findById(id);
  }

  async addReport(linkId: string, report: Report): Promise<boolean> {
    return this.#parts.changes.make(addReport(linkId, report, await this.#ownerOf(linkId)));
  }

  async removeReports(linkId: string): Promise<boolean> {
    return this.#parts.changes.make(removeReports(linkId, await this.#ownerOf(linkId)));
  }

  async listReports(): Promise<ReportedLink[]> {
    const list = `SELECT key, value ${REPORTED_LINKS}`;
    const rows = await this.#parts.database.read<PlainRow<LinkReports>>(list);
    return rows.map(({ key: linkId, value }) => ({ linkId, ...value }));
  }

  async countReportedLinks(): Promise<number> {
    const count = `SELECT count(*) AS count ${REPORTED_LINKS}`;
    const [row] = await this.#parts.database.read<{ count: number }>(count);
    return row?.count ?? 0;
  }

  addAuditEntry(entry: AuditEntry): Promise<void> {
    return this.#audit.add(entry);
  }

  listAuditEntries(query: AuditQuery): Promise<AuditPage> {
    return this.#audit.list(query);
  }

  async lastBackup(): Promise<undefined> {}

  /** A change of a link locks its account. */
  async #ownerOf(linkId: string): Promise<string | undefined> {
    type Row = { account_id: string };
    const [row] = await this.#parts.database.read<Row>(OWNER_OF_LINK, [linkId]);
    return row?.account_id;
  }
}
