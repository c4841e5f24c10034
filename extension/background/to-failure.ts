import type { FailureCode, Refusal } from '../messaging/protocol.ts';
import { StorageFull } from '../storage/quota.ts';

/** What broke in the extension itself, as a code that has words. */
export function ownFailureCode(error: unknown): FailureCode {
  return error instanceof StorageFull ? 'storage_full' : 'extension_failed';
}

export function ownFailure(error: unknown): Refusal {
  return { ok: false, code: ownFailureCode(error) };
}
