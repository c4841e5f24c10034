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
import type { Decision } from '../../decide/decision.ts';
import { addDomain, editDomain, removeDomain } from '../../decide/domains.ts';
import { editAccountIn } from '../../decide/in-view.ts';
import { moveLink } from '../../decide/move-link.ts';
import type { View } from '../../decide/view.ts';
import type { DomainSettings, StoredDomain } from '../../domains.ts';
import type { Link, OwnLink } from '../../link.ts';
import type { Report, ReportedLink } from '../../reports.ts';
import { type AccountRow, fromAccountRow } from '../accounts/account-row.ts';
import type { Changes } from '../changes/changes.ts';
import { authorizedNeeds } from '../changes/facts.ts';
import type { Database } from '../database/database.ts';
import type { LinkFinder } from '../links/link-finder.ts';
import type { LinkLists } from '../links/link-lists.ts';
import { listAccounts } from './all-accounts.ts';
import { AuditLog } from './audit-log.ts';
import { BlockList } from './block-list.ts';
import { ReportList } from './report-list.ts';

const READ_ACCOUNT = 'SELECT id, account FROM accounts WHERE id = $1';

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
  readonly #blocks: BlockList;
  readonly #reports: ReportList;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#audit = new AuditLog(parts.database);
    this.#blocks = new BlockList(parts.database, parts.changes);
    this.#reports = new ReportList(parts.database, parts.changes);
  }

  async findAccount(id: string): Promise<Account | undefined> {
    const [row] = await this.#parts.database.read<AccountRow>(READ_ACCOUNT, [id]);
    return row && fromAccountRow(row);
  }

  editAccount(
    id: string,
    changes: AccountChanges,
    by: Authorization = { kind: 'administrator' },
  ): Promise<Account | undefined> {
    return this.#parts.changes.make(authorizedNeeds(by, id), (view) =>
      editAccountIn(view, id, changes, by),
    );
  }

  listAccounts(query: AccountQuery): Promise<AccountPage> {
    return listAccounts(this.#parts.database, query);
  }

  moveLink(own: OwnLink, to: string): Promise<MoveLinkOutcome> {
    const { linkId, accountId } = own;
    const needs = { accounts: [...new Set([accountId, to])], links: [linkId] };
    return this.#parts.changes.make(needs, (view) =>
      moveLink(own, { link: view.link(linkId), to: view.account(to) }),
    );
  }

  listAllLinks(query: AllLinksQuery): Promise<AllLinksPage> {
    return this.#parts.lists.pageOfAll(query);
  }

  addBlock(block: Block): Promise<boolean> {
    return this.#blocks.add(block);
  }

  removeBlock(block: Pick<Block, 'kind' | 'value'>): Promise<boolean> {
    return this.#blocks.remove(block);
  }

  addDomain(domain: StoredDomain): Promise<boolean> {
    const { host } = domain;
    return this.#changeDomain(host, (view) => addDomain(domain, view.domain(host)));
  }

  editDomain(host: string, changes: Partial<DomainSettings>): Promise<StoredDomain | undefined> {
    return this.#changeDomain(host, (view) => editDomain(changes, view.domain(host)));
  }

  removeDomain(host: string, time: number): Promise<boolean> {
    return this.#changeDomain(host, (view) => removeDomain(time, view.domain(host)));
  }

  findLinkById(id: string): Promise<Link | undefined> {
    return this.#parts.finder.findById(id);
  }

  addReport(linkId: string, report: Report): Promise<boolean> {
    return this.#reports.add(linkId, report);
  }

  removeReports(linkId: string): Promise<boolean> {
    return this.#reports.remove(linkId);
  }

  listReports(): Promise<ReportedLink[]> {
    return this.#reports.list();
  }

  countReportedLinks(): Promise<number> {
    return this.#reports.count();
  }

  addAuditEntry(entry: AuditEntry): Promise<void> {
    return this.#audit.add(entry);
  }

  listAuditEntries(query: AuditQuery): Promise<AuditPage> {
    return this.#audit.list(query);
  }

  async lastBackup(): Promise<undefined> {}

  #changeDomain<T>(host: string, decide: (view: View) => Decision<T>): Promise<T> {
    return this.#parts.changes.make({ accounts: [], domains: [host] }, decide);
  }
}
