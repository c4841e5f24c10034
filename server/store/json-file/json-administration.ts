import type { Administration } from '../administration.ts';
import { editAccount } from '../rules/accounts.ts';
import { addBlock, removeBlock } from '../rules/blocks.ts';
import { addDomain, editDomain, forgetDomain, removeDomain } from '../rules/domains.ts';
import { moveLink } from '../rules/move-link.ts';
import { addReport, removeReports } from '../rules/reports.ts';
import type { Changes } from './changes.ts';
import type { Data } from './data/data.ts';
import type { AuditFile } from './files/audit-file.ts';
import { readLastBackup } from './files/last-backup.ts';
import type { Lists } from './lists.ts';

type Parts = { folder: string; data: Data; changes: Changes; lists: Lists; audit: AuditFile };

/** See `Administration`. */
export function jsonAdministration({ folder, data, changes, lists, audit }: Parts): Administration {
  return {
    findAccount: async (id) => data.account(id),
    editAccount: (id, edit, by) => changes.make(editAccount(id, edit, by)),
    listAccounts: (query) => lists.accounts(query),
    moveLink: (link, to) => changes.make(moveLink(link, to)),
    listAllLinks: (query) => lists.allLinks(query),
    addBlock: (block, alias) => changes.make(addBlock(block, alias)),
    removeBlock: (block) => changes.make(removeBlock(block)),
    addDomain: (domain) => changes.make(addDomain(domain)),
    editDomain: (host, edit) => changes.make(editDomain(host, edit)),
    removeDomain: (host, time) => changes.make(removeDomain(host, time)),
    hasAliases: (host) => lists.hasAliases(host),
    forgetDomain: (host, removed) => changes.make(forgetDomain(host, removed)),
    findLinkById: async (id) => data.link(id),
    addReport: (linkId, report) => changes.make(addReport(linkId, report)),
    removeReports: (linkId) => changes.make(removeReports(linkId)),
    listReports: async () => [...data.reportedLinks()],
    countReportedLinks: async () => [...data.reportedLinks()].length,
    addAuditEntry: (entry) => audit.append(entry),
    listAuditEntries: (query) => audit.list(query),
    lastBackup: () => readLastBackup(folder),
  };
}
