import { browser } from 'wxt/browser';

export type StorageArea = 'local' | 'session';

/** A value does not fit into storage. The previous value is unchanged. */
export class QuotaExceededError extends Error {
  override name = 'QuotaExceededError';
}

/** Not every Firefox has `getBytesInUse`, and only Chromium has `QUOTA_BYTES`. */
type Measured = {
  getBytesInUse?: (keys: string[] | null) => Promise<number>;
  QUOTA_BYTES?: number;
};

/** Waits for a change that a full storage may prevent: that must prevent neither a link nor its edit. */
export async function unlessFull(change: Promise<unknown>): Promise<void> {
  try {
    await change;
  } catch (error) {
    if (!(error instanceof QuotaExceededError)) throw error;
  }
}

/** The size and quota of local storage; null for what the browser does not report. */
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
 * Writes all items or none.
 *
 * @throws QuotaExceededError if they do not fit
 */
export async function writeStored(
  area: StorageArea,
  items: Record<string, unknown>,
): Promise<void> {
  try {
    await browser.storage[area].set(items);
  } catch (cause) {
    if (await exceedsQuota(area, items, cause)) {
      throw new QuotaExceededError(`The ${area} storage is full.`, { cause });
    }
    throw cause;
  }
}

/** Firefox throws a `QuotaExceededError`; Chromium throws a plain `Error`, so measure the storage. */
async function exceedsQuota(
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

/** Browsers count keys, and values as JSON. */
function sizeOf(items: Record<string, unknown>): number {
  const text = Object.entries(items).map(([key, value]) => key + (JSON.stringify(value) ?? ''));
  return new TextEncoder().encode(text.join('')).length;
}
