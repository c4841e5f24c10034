import type { Failure, FailureCode } from '../messaging/protocol.ts';
import { QuotaExceededError } from '../storage/quota.ts';

/** What broke in the extension itself, as a code that has words. */
export function failureCodeOf(error: unknown): FailureCode {
  return error instanceof QuotaExceededError ? 'storage_full' : 'extension_failed';
}

export function toFailure(error: unknown): Failure {
  return { ok: false, code: failureCodeOf(error) };
}
