import type { z } from 'zod';
import type {
  AdminAccount,
  editAccountRequestSchema,
  newAccountRequestSchema,
} from '../../shared/admin/accounts.ts';
import type { TokenDependencies } from '../accounts/account-tokens.ts';
import { hashToken, newToken } from '../accounts/tokens.ts';
import { newId } from '../lib/random-bytes.ts';
import { assertReadOnly, isUnchanged } from '../lib/read-only.ts';
import { ServiceError } from '../lib/service-error.ts';
import { isoTime } from '../links/to-link-record.ts';
import type { Account, AccountChanges, Authorization } from '../store/account.ts';
import { type AuditDependencies, audited } from './audit.ts';

type NewAccount = z.output<typeof newAccountRequestSchema>;
type AccountEdit = z.output<typeof editAccountRequestSchema>;

/** Creates an account with a name and its first token, which is returned once. */
export async function createAccount(
  { name, monthlyQuota = null }: NewAccount,
  by: Authorization,
  dependencies: TokenDependencies,
): Promise<{ account: Account; token: string }> {
  const { store, clock, randomBytes } = dependencies;
  const token = newToken(randomBytes);
  const quota = toStoredQuota(monthlyQuota);
  const account: Account = {
    id: newId(randomBytes),
    tokenHash: hashToken(token),
    name,
    created: clock(),
    ...(typeof quota === 'number' && { monthlyQuota: quota }),
  };
  const details = { name, monthlyQuota };
  await audited(dependencies, { action: 'account.create', target: account.id, details, by }, () =>
    store.addAccount(account),
  );
  return { account, token };
}

/** @throws ServiceError `not_found`, `invalid_request` */
export async function editAccount(
  id: string,
  edit: AccountEdit,
  by: Authorization,
  dependencies: AuditDependencies,
): Promise<Account> {
  const before = await findAccount(id, dependencies);
  const { name, monthlyQuota, suspended, ...readOnly } = edit;
  const record = await toAdminAccount(before, dependencies);
  assertReadOnly(readOnly, (field, value) => isUnchanged(field, value, record[field]));
  const { reason, ...dated } = suspended ?? {};
  const isSame = (field: keyof typeof dated, value: unknown) => value === record.suspended?.[field];
  assertReadOnly(dated, isSame, 'suspended.');
  const since = before.suspended?.since ?? dependencies.clock();
  const changes: AccountChanges = {
    ...(name !== undefined && { name }),
    ...(monthlyQuota !== undefined && { monthlyQuota: toStoredQuota(monthlyQuota) }),
    ...(reason !== undefined && { suspended: { reason, since } }),
    ...(suspended === null && { suspended }),
  };
  if (Object.keys(changes).length === 0) return before;
  const details = {
    ...(name !== undefined && { name }),
    ...(monthlyQuota !== undefined && { monthlyQuota }),
    ...(suspended !== undefined && { suspended: suspended && { reason } }),
  };
  return audited(dependencies, { action: 'account.edit', target: id, details, by }, async () => {
    const account = await dependencies.store.administration.editAccount(id, changes);
    if (!account) throw unknownAccount(id);
    return account;
  });
}

/** @throws ServiceError `not_found` */
export async function findAccount(
  id: string,
  { store }: Pick<AuditDependencies, 'store'>,
): Promise<Account> {
  const account = await store.administration.findAccount(id);
  if (!account) throw unknownAccount(id);
  return account;
}

export function unknownAccount(id: string): ServiceError {
  return new ServiceError('not_found', `There is no account with the ID "${id}".`);
}

/** An account as the API returns it to the administrator. */
export async function toAdminAccount(
  { id, name, created, monthlyQuota, suspended }: Account,
  { store, clock }: AuditDependencies,
): Promise<AdminAccount> {
  const { total, month } = await store.countLinks(id, clock());
  return {
    id,
    name,
    created: isoTime(created),
    links: total,
    linksThisMonth: month,
    monthlyQuota: monthlyQuota === Number.POSITIVE_INFINITY ? 'unlimited' : (monthlyQuota ?? null),
    suspended: toDatedReason(suspended),
    blocked: toDatedReason(store.blocks.account.get(id)),
  };
}

function toDatedReason(recorded: { reason: string; since: number } | undefined) {
  return recorded ? { reason: recorded.reason, since: isoTime(recorded.since) } : null;
}

function toStoredQuota(quota: number | 'unlimited' | null): number | null {
  return quota === 'unlimited' ? Number.POSITIVE_INFINITY : quota;
}
