import type { Failure, FailureCode } from '../messaging/protocol.ts';
import { QuotaExceededError } from '../storage/quota.ts';

/** The failure code of an error in the extension itself. */
export function failureCodeOf(error: unknown): FailureCode {
  return error instanceof QuotaExceededError ? 'storage_full' : 'extension_failed';
}

export function toFailure(error: unknown): Failure {
  return { ok: false, code: failureCodeOf(error) };
}
