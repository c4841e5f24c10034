import type { Administration } from './administration.ts';
import { addAccount, addToken, editAccount, revokeToken } from './rules/accounts.ts';
import {
  addBlock,
  addDomain,
  addReport,
  editDomain,
  forgetDomain,
  removeBlock,
  removeDomain,
  removeReports,
} from './rules/administration.ts';
import type { Change } from './rules/change.ts';
import { editLink, moveLink, purgeLink } from './rules/edit-link.ts';
import { addSignInCode, redeemSignInCode } from './rules/sign-in-codes.ts';
import type { Awaitable, Store } from './store.ts';

/** How a driver makes a change: it looks up what the rule asks for, lets it decide, and writes the records. */
export type ChangeMaker = { make<T>(change: Change<T>): Promise<T> };

type ChangeName =
  | 'addAccount'
  | 'editLink'
  | 'purgeLink'
  | 'addToken'
  | 'addSignInCode'
  | 'redeemSignInCode'
  | 'revokeToken';

/** The changes that are nothing but their rules, in every store. */
export function plainChanges(changes: ChangeMaker): Pick<Store, ChangeName> {
  return {
    addAccount: (account) => changes.make(addAccount(account)),
    editLink: (edit) => changes.make(editLink(edit)),
    purgeLink: (purge) => changes.make(purgeLink(purge)),
    addToken: (token) => changes.make(addToken(token)),
    addSignInCode: (code) => changes.make(addSignInCode(code)),
    redeemSignInCode: (redemption) => changes.make(redeemSignInCode(redemption)),
    revokeToken: (revocation) => changes.make(revokeToken(revocation)),
  };
}

type AdministrationChangeName =
  | 'editAccount'
  | 'moveLink'
  | 'addBlock'
  | 'removeBlock'
  | 'addDomain'
  | 'editDomain'
  | 'removeDomain'
  | 'forgetDomain'
  | 'addReport'
  | 'removeReports';

/** Those of administrators. @param ownerOf finds the account of a link, which is locked with it */
export function administrationChanges(
  changes: ChangeMaker,
  ownerOf: (linkId: string) => Awaitable<string | undefined>,
): Pick<Administration, AdministrationChangeName> {
  return {
    editAccount: (id, edit, by) => changes.make(editAccount(id, edit, by)),
    moveLink: (link, to) => changes.make(moveLink(link, to)),
    addBlock: async (block, alias) => {
      const owner = block.kind === 'link' ? await ownerOf(block.value) : undefined;
      return changes.make(addBlock(block, alias, owner));
    },
    removeBlock: (block) => changes.make(removeBlock(block)),
    addDomain: (domain) => changes.make(addDomain(domain)),
    editDomain: (host, edit) => changes.make(editDomain(host, edit)),
    removeDomain: (host, time) => changes.make(removeDomain(host, time)),
    forgetDomain: (host, removed) => changes.make(forgetDomain(host, removed)),
    addReport: async (linkId, report) =>
      changes.make(addReport(linkId, report, await ownerOf(linkId))),
    removeReports: async (linkId) => changes.make(removeReports(linkId, await ownerOf(linkId))),
  };
}
