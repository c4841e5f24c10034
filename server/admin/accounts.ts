import type { z } from 'zod';
import type {
  AdminAccount,
  editAccountRequestSchema,
  newAccountRequestSchema,
} from '../../shared/admin/accounts.ts';
import { hashToken, newToken, type TokenDependencies } from '../accounts/tokens.ts';
import { newId } from '../lib/random-bytes.ts';
import { assertReadOnly, isUnchanged } from '../lib/read-only.ts';
import { invalidField, ServiceError } from '../lib/service-error.ts';
import { isoTime } from '../links/to-link-record.ts';
import type {
  Account,
  AccountChanges,
  Authorization,
  NewAccount as StoredNewAccount,
} from '../store/account.ts';
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
  const account: StoredNewAccount = {
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
  const details = { name, monthlyQuota, suspended: suspended && { reason } };
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

/** Returns an account as the API returns it to the administrator. */
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

/** The most links that one request moves, so that it never takes long. */
const MAX_LINKS = 1000;
/** Moves that share a write in a folder. In a database, each of them waits for the others, but not for long. */
const TOGETHER = 50;

/**
 * Moves up to 1,000 links of an account, deleted ones included, to another one. Each move is on disk by
 * itself, so an interrupted request is continued by the next one.
 *
 * @throws ServiceError `not_found`, `invalid_request`
 */
export async function reassignLinks(
  { from, to }: { from: string; to: string },
  by: Authorization,
  dependencies: AuditDependencies,
): Promise<{ moved: number; remaining: number }> {
  await findAccount(from, dependencies);
  await findAccount(to, dependencies);
  if (from === to) {
    throw invalidField('to', 'Must be another account: this one already has the links.');
  }
  const { store, clock } = dependencies;
  const entry = { action: 'account.reassign', target: from, details: { to }, by } as const;
  return audited(dependencies, entry, async () => {
    let moved = 0;
    while (moved < MAX_LINKS) {
      const outcomes = await moveSome(from, to, dependencies);
      if (outcomes.length === 0) break;
      if (outcomes.includes('no_account')) throw unknownAccount(to);
      moved += outcomes.filter((outcome) => outcome === 'moved').length;
    }
    return { moved, remaining: (await store.countLinks(from, clock())).total };
  });
}

async function moveSome(from: string, to: string, { store }: AuditDependencies) {
  const all = { after: null, search: null, tag: null };
  const { links } = await store.listLinks({ accountId: from, limit: TOGETHER, ...all });
  const moves = links.map(({ id: linkId }) =>
    store.administration.moveLink({ linkId, accountId: from }, to),
  );
  return Promise.all(moves);
}
