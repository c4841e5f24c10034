import type { Account, AccountChanges } from '../account.ts';
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
import type { Link, OwnLink } from '../link.ts';
import { tryToBlock, tryToUnblock } from './changes/administration/blocks.ts';
import { tryToEditAccount } from './changes/administration/edit-account.ts';
import { tryToMove } from './changes/administration/move-link.ts';
import { type ChangeContext, untilDecided } from './changes/context.ts';
import type { AuditFile } from './files/audit-file.ts';
import { listAccounts } from './listing/all-accounts.ts';
import { AllLinks } from './listing/all-links.ts';

/** See `Administration`. */
export class JsonAdministration implements Administration {
  readonly #context: ChangeContext;
  readonly #audit: AuditFile;
  readonly #allLinks: AllLinks;

  constructor(context: ChangeContext, audit: AuditFile) {
    const { links, slices } = context.state;
    this.#context = context;
    this.#audit = audit;
    this.#allLinks = new AllLinks(links, slices);
  }

  async findAccount(id: string): Promise<Account | undefined> {
    return this.#context.state.accounts.get(id);
  }

  editAccount(id: string, changes: AccountChanges): Promise<Account | undefined> {
    return untilDecided(() => tryToEditAccount(this.#context, id, changes));
  }

  listAccounts(query: AccountQuery): Promise<AccountPage> {
    const { accounts, slices } = this.#context.state;
    return listAccounts(accounts, query, slices);
  }

  moveLink(link: OwnLink, to: string): Promise<MoveLinkOutcome> {
    return untilDecided(() => tryToMove(this.#context, link, to));
  }

  listAllLinks(query: AllLinksQuery): Promise<AllLinksPage> {
    const { accountsToErase } = this.#context.state;
    return this.#allLinks.page(query, ({ accountId }) => accountsToErase.has(accountId));
  }

  addBlock(block: Block): Promise<boolean> {
    return untilDecided(() => tryToBlock(this.#context, block));
  }

  removeBlock(block: Pick<Block, 'kind' | 'value'>): Promise<boolean> {
    return untilDecided(() => tryToUnblock(this.#context, block));
  }

  async findLinkById(id: string): Promise<Link | undefined> {
    return this.#context.state.readLink(id)?.link;
  }

  addAuditEntry(entry: AuditEntry): Promise<void> {
    return this.#audit.append(entry);
  }

  listAuditEntries(query: AuditQuery): Promise<AuditPage> {
    return this.#audit.list(query);
  }
}
