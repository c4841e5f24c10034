import type { Account, AccountChanges, Authorization } from '../account.ts';
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
} from '../administration.ts';
import type { Block } from '../blocks.ts';
import { editAccount } from '../decide/accounts.ts';
import { addBlock, removeBlock } from '../decide/blocks.ts';
import { addDomain, editDomain, removeDomain } from '../decide/domains.ts';
import { moveLink } from '../decide/move-link.ts';
import { addReport, removeReports } from '../decide/reports.ts';
import type { DomainSettings, StoredDomain } from '../domains.ts';
import type { Link, OwnLink } from '../link.ts';
import type { Report, ReportedLink } from '../reports.ts';
import type { Changes } from './changes.ts';
import type { Data } from './data/data.ts';
import type { AuditFile } from './files/audit-file.ts';
import { readLastBackup } from './files/last-backup.ts';
import type { Lists } from './lists.ts';

/** See `Administration`. */
export class JsonAdministration implements Administration {
  readonly #data: Data;
  readonly #changes: Changes;
  readonly #lists: Lists;
  readonly #audit: AuditFile;
  readonly #folder: string;

  constructor(data: Data, changes: Changes, lists: Lists, audit: AuditFile, folder: string) {
    this.#data = data;
    this.#changes = changes;
    this.#lists = lists;
    this.#audit = audit;
    this.#folder = folder;
  }

  async findAccount(id: string): Promise<Account | undefined> {
    return this.#data.account(id);
  }

  editAccount(
    id: string,
    changes: AccountChanges,
    by?: Authorization,
  ): Promise<Account | undefined> {
    return this.#changes.make(editAccount(id, changes, by));
  }

  listAccounts(query: AccountQuery): Promise<AccountPage> {
    return this.#lists.accounts(query);
  }

  moveLink(link: OwnLink, to: string): Promise<MoveLinkOutcome> {
    return this.#changes.make(moveLink(link, to));
  }

  listAllLinks(query: AllLinksQuery): Promise<AllLinksPage> {
    return this.#lists.allLinks(query);
  }

  addBlock(block: Block): Promise<boolean> {
    return this.#changes.make(addBlock(block));
  }

  removeBlock(block: Pick<Block, 'kind' | 'value'>): Promise<boolean> {
    return this.#changes.make(removeBlock(block));
  }

  addDomain(domain: StoredDomain): Promise<boolean> {
    return this.#changes.make(addDomain(domain));
  }

  editDomain(host: string, changes: Partial<DomainSettings>): Promise<StoredDomain | undefined> {
    return this.#changes.make(editDomain(host, changes));
  }

  removeDomain(host: string, time: number): Promise<boolean> {
    return this.#changes.make(removeDomain(host, time));
  }

  async findLinkById(id: string): Promise<Link | undefined> {
    return this.#data.link(id);
  }

  addReport(linkId: string, report: Report): Promise<boolean> {
    return this.#changes.make(addReport(linkId, report));
  }

  removeReports(linkId: string): Promise<boolean> {
    return this.#changes.make(removeReports(linkId));
  }

  async listReports(): Promise<ReportedLink[]> {
    return [...this.#data.reportedLinks()];
  }

  async countReportedLinks(): Promise<number> {
    return (await this.listReports()).length;
  }

  addAuditEntry(entry: AuditEntry): Promise<void> {
    return this.#audit.append(entry);
  }

  listAuditEntries(query: AuditQuery): Promise<AuditPage> {
    return this.#audit.list(query);
  }

  lastBackup(): Promise<number | undefined> {
    return readLastBackup(this.#folder);
  }
}
