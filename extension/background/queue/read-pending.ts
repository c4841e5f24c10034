import { type PendingWish, pendingWishes, sessionWishes } from '../../storage/items.ts';

/** Every wish by its id, wherever it is kept. */
export async function readWishes(): Promise<Record<string, PendingWish>> {
  const [onDisk, inMemory] = await Promise.all([pendingWishes.read(), sessionWishes.read()]);
  return { ...onDisk, ...inMemory };
}
