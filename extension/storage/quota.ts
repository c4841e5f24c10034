import { browser } from 'wxt/browser';

export type StorageArea = 'local' | 'session';

/** There is no room for what was to be written; what stood there before still does. */
export class QuotaExceededError extends Error {
  override name = 'QuotaExceededError';
}

/** `getBytesInUse` is not in every Firefox, and the quota is Chromium's alone to tell. */
type Measured = {
  getBytesInUse?: (keys: string[] | null) => Promise<number>;
  QUOTA_BYTES?: number;
};

/** How full the storage on the disk is; null for what the browser does not tell. */
export async function measureStorage(): Promise<{
  bytesUsed: number | null;
  quotaBytes: number | null;
}> {
  const area = browser.storage.local as Measured;
  return {
    bytesUsed: (await area.getBytesInUse?.(null)) ?? null,
    quotaBytes: area.QUOTA_BYTES ?? null,
  };
}

/**
 * Writes all of it or nothing.
 *
 * @throws QuotaExceededError where it does not fit
 */
export async function writeStored(
  area: StorageArea,
  items: Record<string, unknown>,
): Promise<void> {
  try {
    await browser.storage[area].set(items);
  } catch (cause) {
    if (await isTooMuch(area, items, cause)) {
      throw new QuotaExceededError(`There is no room in the ${area} storage.`, { cause });
    }
    throw cause;
  }
}

/** Chromium gives every failure the same class, so the room is measured; Firefox names this one. */
async function isTooMuch(
  area: StorageArea,
  items: Record<string, unknown>,
  cause: unknown,
): Promise<boolean> {
  if (cause instanceof Error && cause.name === 'QuotaExceededError') return true;
  const { getBytesInUse, QUOTA_BYTES } = browser.storage[area] as Measured;
  if (!getBytesInUse || !QUOTA_BYTES) return false;
  const measure = getBytesInUse.bind(browser.storage[area]);
  const others = (await measure(null)) - (await measure(Object.keys(items)));
  return others + sizeOf(items) > QUOTA_BYTES;
}

/** As browsers count: keys, and values as JSON. */
function sizeOf(items: Record<string, unknown>): number {
  const text = Object.entries(items).map(([key, value]) => key + (JSON.stringify(value) ?? ''));
  return new TextEncoder().encode(text.join('')).length;
}
