import { TOKENS_MAX } from '../../../shared/limits.ts';
import type {
  Account,
  AccountChanges,
  AccountDeletion,
  AddTokenOutcome,
  Authorization,
  LinkCounts,
  NewToken,
  RevokeTokenOutcome,
  TokenRevocation,
} from '../account.ts';
import type {
  AddLinkOutcome,
  EditLinkOutcome,
  Link,
  LinkEdit,
  LinkPurge,
  NewLink,
  PurgeLinkOutcome,
} from '../link.ts';
import { monthNumber } from '../records/month.ts';
import { blockKey, type UsedKey, useKey } from '../records.ts';
import { deleteAccount, editAccount } from './accounts.ts';
import { addLink } from './add-link.ts';
import { authorize } from './authorize.ts';
import type { Decision } from './decision.ts';
import { editLink } from './edit-link.ts';
import { purgeLink } from './purge-link.ts';
import type { QuotaUse } from './quota.ts';
import { addToken, revokeToken, type TokenFacts } from './tokens.ts';
import type { View } from './view.ts';

/** Authorized decisions with the facts that they need. See `Store`. */

export function addLinkIn(view: View, newLink: NewLink): Decision<AddLinkOutcome> {
  const { accountId, created } = newLink.link;
  assertAuthorized(view, accountId, newLink.by);
  const { idempotency } = newLink;
  const key = idempotency ? view.usedKey(idempotency.keyHash) : undefined;
  return addLink(newLink, {
    isAccountDeleted: view.isDeleted(accountId),
    usedKey: key && { key, link: originalOf(view, key) },
    use: quotaUse(view, accountId, created),
    holderOf: (alias) => view.holder(alias.toLowerCase()),
  });
}

export function editLinkIn(view: View, edit: LinkEdit): Decision<EditLinkOutcome> {
  assertAuthorized(view, edit.accountId, edit.by);
  return editLink(edit, {
    link: view.link(edit.linkId),
    isBlocked: isBlocked(view, edit.linkId),
    use: quotaUse(view, edit.accountId, edit.modified),
    holderOf: (alias) => view.holder(alias.toLowerCase()),
  });
}

/** @param mayPurge checked when the link is purged */
export function purgeLinkIn(
  view: View,
  purge: LinkPurge,
  mayPurge: (link: Link) => boolean = () => true,
): Decision<PurgeLinkOutcome> {
  const { linkId, accountId, by } = purge;
  assertAuthorized(view, accountId, by);
  const link = view.link(linkId);
  return purgeLink(purge, {
    link: link && mayPurge(link) ? link : undefined,
    isBlocked: isBlocked(view, linkId),
    use: { besides: (key) => view.useBesides(key) },
  });
}

export function addTokenIn(
  view: View,
  { token, by, max = TOKENS_MAX }: NewToken,
): Decision<AddTokenOutcome> {
  assertAuthorized(view, token.accountId, by);
  return addToken(token, max, tokenFacts(view, token.accountId));
}

export function revokeTokenIn(
  view: View,
  revocation: TokenRevocation,
): Decision<RevokeTokenOutcome> {
  const { id, accountId, by, evenIfLast } = revocation;
  assertAuthorized(view, accountId, by);
  return revokeToken(id, evenIfLast, tokenFacts(view, accountId));
}

export function editAccountIn(
  view: View,
  id: string,
  changes: AccountChanges,
  by: Authorization = { kind: 'administrator' },
): Decision<Account | undefined> {
  assertAuthorized(view, id, by);
  return editAccount(changes, view.account(id));
}

export function deleteAccountIn(
  view: View,
  { accountId, by }: AccountDeletion,
): Decision<undefined> {
  assertAuthorized(view, accountId, by);
  const hasLinks = view.counts(accountId, 0).total > 0;
  return deleteAccount(accountId, hasLinks || view.account(accountId) !== undefined);
}

function tokenFacts(view: View, accountId: string): TokenFacts {
  return { account: view.account(accountId), tokens: view.tokens(accountId) };
}

/** @throws ServiceError see `authorize` */
function assertAuthorized(view: View, accountId: string, by: Authorization): void {
  const error = authorize(by, {
    token: by.kind === 'token' ? view.token(by.tokenHash) : undefined,
    account: view.account(accountId),
    block: view.block(blockKey({ kind: 'account', value: accountId })),
  });
  if (error) throw error;
}

/** See `Store.countLinks`. */
export function countLinks(
  view: Pick<View, 'counts' | 'useBesides'>,
  accountId: string,
  time: number,
): LinkCounts {
  const { month, total, imported } = view.counts(accountId, time);
  return {
    month: month + view.useBesides(useKey(accountId, monthNumber(time))),
    total,
    imported: imported + view.useBesides(useKey(accountId, 'imports')),
  };
}

function quotaUse(view: View, accountId: string, time: number): QuotaUse {
  const { month, imported } = countLinks(view, accountId, time);
  return { month, imported, besides: (key) => view.useBesides(key) };
}

/** The link as the call with this key has created it; null once it was purged. */
export function originalOf(view: Pick<View, 'link'>, { linkId, original }: UsedKey): Link | null {
  const link = view.link(linkId);
  return link ? { ...(original ?? link), hits: 0 } : null;
}

function isBlocked(view: View, linkId: string): boolean {
  return view.block(blockKey({ kind: 'link', value: linkId })) !== undefined;
}
