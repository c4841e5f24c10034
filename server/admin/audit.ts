import type { AuditAction } from '../../shared/admin/audit.ts';
import type { ErrorCode } from '../../shared/errors.ts';
import { ServiceError } from '../lib/service-error.ts';
import type { Clock } from '../lib/time.ts';
import type { Authorization } from '../store/account.ts';
import { type Store, StoreUnavailableError } from '../store/store.ts';

export type AuditDependencies = { store: Store; clock: Clock };

export type AuditedAction = {
  action: AuditAction;
  /** What it is done to: the id of an account, or a block such as `host example.com`. */
  target: string;
  /** Never a token. What is undefined is left out. */
  details: Record<string, unknown>;
  by: Authorization;
};

/**
 * Writes an entry to the audit log, and then does what it says. In this order, nothing is ever done
 * without an entry, whatever fails. If the action fails, a second entry says so.
 *
 * @throws ServiceError of the action; StoreUnavailableError, and nothing is done
 */
export async function audited<T>(
  { store: { administration }, clock }: AuditDependencies,
  { by, ...action }: AuditedAction,
  act: () => Promise<T>,
): Promise<T> {
  const identity = by.kind === 'administrator' ? by.identity : undefined;
  const entry = { ...action, ...(identity !== undefined && { by: identity }) };
  await administration.addAuditEntry({ time: clock(), ...entry });
  try {
    return await act();
  } catch (error) {
    // If the log can't be written either, the first error is the one to report.
    const failure = { time: clock(), ...entry, failed: codeOf(error) };
    await administration.addAuditEntry(failure).catch(() => undefined);
    throw error;
  }
}

function codeOf(error: unknown): ErrorCode {
  if (error instanceof ServiceError) return error.code;
  return error instanceof StoreUnavailableError ? 'store_unavailable' : 'internal';
}
