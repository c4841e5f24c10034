import { type PendingRequest, pendingRequests, sessionRequests } from '../../storage/items.ts';

/** Every wish by its id, wherever it is kept. */
export async function readPending(): Promise<Record<string, PendingRequest>> {
  const [onDisk, inMemory] = await Promise.all([pendingRequests.read(), sessionRequests.read()]);
  return { ...onDisk, ...inMemory };
}
