import type { Administration } from '../../administration.ts';
import type { LinkReports } from '../../reports.ts';
import { editAccount } from '../../rules/accounts.ts';
import { addBlock, removeBlock } from '../../rules/blocks.ts';
import { addDomain, editDomain, forgetDomain, removeDomain } from '../../rules/domains.ts';
import { moveLink } from '../../rules/move-link.ts';
import { addReport, removeReports } from '../../rules/reports.ts';
import { type AccountRow, fromAccountRow } from '../accounts/account-row.ts';
import type { Changes } from '../changes/changes.ts';
import type { Database } from '../database/database.ts';
import type { PlainRow } from '../database/plain-tables.ts';
import type { LinkLists } from '../links/link-lists.ts';
import { fromLinkRow, STORED_LINK, type StoredLink } from '../links/link-row.ts';
import { listAccounts } from './all-accounts.ts';
import { auditLog } from './audit-log.ts';

const READ_ACCOUNT = 'SELECT id, account FROM accounts WHERE id = $1';
const FIND_LINK = `SELECT ${STORED_LINK} FROM visible_links WHERE id = $1`;
const OWNER_OF_LINK = 'SELECT account_id FROM visible_links WHERE id = $1';
/** Aliases are sorted by their bytes, and 0 follows the slash. */
const ALIAS_ON_HOST = 'SELECT 1 FROM aliases WHERE key > $1 AND key < $2 LIMIT 1';
const REPORTED_LINKS = 'FROM reports JOIN visible_links ON visible_links.id = key';

type Parts = {
  database: Database;
  changes: Changes;
  lists: LinkLists;
};

/** See `Administration`. */
export function postgresAdministration({ database, changes, lists }: Parts): Administration {
  /** A change of a link locks its account. */
  const ownerOf = async (linkId: string): Promise<string | undefined> => {
    const [row] = await database.read<{ account_id: string }>(OWNER_OF_LINK, [linkId]);
    return row?.account_id;
  };
  return {
    findAccount: async (id) => {
      const [row] = await database.read<AccountRow>(READ_ACCOUNT, [id]);
      return row && fromAccountRow(row);
    },
    editAccount: (id, edit, by) => changes.make(editAccount(id, edit, by)),
    listAccounts: (query) => listAccounts(database, query),
    moveLink: (link, to) => changes.make(moveLink(link, to)),
    listAllLinks: (query) => lists.pageOfAll(query),
    addBlock: async (block, alias) => {
      const owner = block.kind === 'link' ? await ownerOf(block.value) : undefined;
      return changes.make(addBlock(block, alias, owner));
    },
    removeBlock: (block) => changes.make(removeBlock(block)),
    addDomain: (domain) => changes.make(addDomain(domain)),
    editDomain: (host, edit) => changes.make(editDomain(host, edit)),
    removeDomain: (host, time) => changes.make(removeDomain(host, time)),
    hasAliases: async (host) => {
      const rows = await database.read(ALIAS_ON_HOST, [`${host}/`, `${host}0`]);
      return rows.length > 0;
    },
    forgetDomain: (host, removed) => changes.make(forgetDomain(host, removed)),
    findLinkById: async (id) => {
      const [row] = await database.read<StoredLink>(FIND_LINK, [id]);
      return row && fromLinkRow(row);
    },
    addReport: async (linkId, report) =>
      changes.make(addReport(linkId, report, await ownerOf(linkId))),
    removeReports: async (linkId) => changes.make(removeReports(linkId, await ownerOf(linkId))),
    listReports: async () => {
      const list = `SELECT key, value ${REPORTED_LINKS}`;
      const rows = await database.read<PlainRow<LinkReports>>(list);
      return rows.map(({ key: linkId, value }) => ({ linkId, ...value }));
    },
    countReportedLinks: async () => {
      const count = `SELECT count(*) AS count ${REPORTED_LINKS}`;
      const [row] = await database.read<{ count: number }>(count);
      return row?.count ?? 0;
    },
    ...auditLog(database),
    lastBackup: async () => undefined,
  };
}
