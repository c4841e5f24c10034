import type { FailureCode, Refusal } from '../messages.ts';
import { StorageFull } from '../storage-room.ts';

/** What broke in the extension itself, as a code that has words. */
export function ownFailureCode(error: unknown): FailureCode {
  return error instanceof StorageFull ? 'storage_full' : 'extension_failed';
}

export function ownFailure(error: unknown): Refusal {
  return { ok: false, code: ownFailureCode(error) };
}
