import { type PendingRequest, pendingRequests, sessionRequests } from '../../storage/items.ts';

/** All pending requests by id, from disk and memory. */
export async function readPending(): Promise<Record<string, PendingRequest>> {
  const [onDisk, inMemory] = await Promise.all([pendingRequests.read(), sessionRequests.read()]);
  return { ...onDisk, ...inMemory };
}

/** Whether the request is still to be sent. */
export function isOpen({ status, isDiscarded }: PendingRequest): boolean {
  return status !== 'done' && !isDiscarded;
}
