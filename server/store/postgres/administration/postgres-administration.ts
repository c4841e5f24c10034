import type { Account, AccountChanges } from '../../account.ts';
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
import type { Link, OwnLink } from '../../link.ts';
import type { Accounts } from '../accounts/accounts.ts';
import type { ChangeContext } from '../changes/commit-change.ts';
import type { HitCounter } from '../links/hit-counter.ts';
import type { LinkFinder } from '../links/link-finder.ts';
import { listAccounts } from './all-accounts.ts';
import { AllLinks } from './all-links.ts';
import { AuditLog } from './audit-log.ts';
import type { BlockList } from './block-list.ts';
import { moveLink } from './move-link.ts';

type Parts = {
  context: ChangeContext;
  accounts: Accounts;
  blocks: BlockList;
  finder: LinkFinder;
  hits: HitCounter;
};

/** See `Administration`. */
export class PostgresAdministration implements Administration {
  readonly #parts: Parts;
  readonly #allLinks: AllLinks;
  readonly #audit: AuditLog;

  constructor(parts: Parts) {
    const { database } = parts.context;
    this.#parts = parts;
    this.#allLinks = new AllLinks(database, parts.hits, parts.finder);
    this.#audit = new AuditLog(database);
  }

  findAccount(id: string): Promise<Account | undefined> {
    return this.#parts.accounts.find(id);
  }

  editAccount(id: string, changes: AccountChanges): Promise<Account | undefined> {
    return this.#parts.accounts.edit(id, changes);
  }

  listAccounts(query: AccountQuery): Promise<AccountPage> {
    return listAccounts(this.#parts.context.database, query);
  }

  moveLink(link: OwnLink, to: string): Promise<MoveLinkOutcome> {
    return moveLink(this.#parts.context, link, to);
  }

  listAllLinks(query: AllLinksQuery): Promise<AllLinksPage> {
    return this.#allLinks.page(query);
  }

  addBlock(block: Block): Promise<boolean> {
    return this.#parts.blocks.add(block);
  }

  removeBlock(block: Pick<Block, 'kind' | 'value'>): Promise<boolean> {
    return this.#parts.blocks.remove(block);
  }

  findLinkById(id: string): Promise<Link | undefined> {
    return this.#allLinks.find(id);
  }

  addAuditEntry(entry: AuditEntry): Promise<void> {
    return this.#audit.add(entry);
  }

  listAuditEntries(query: AuditQuery): Promise<AuditPage> {
    return this.#audit.list(query);
  }
}
