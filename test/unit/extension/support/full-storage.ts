import { fakeBrowser } from 'wxt/testing/fake-browser';

/**
 * Gives the in-memory browser Chromium's quota: a write that would leave more than `quotaBytes` is
 * refused whole. @returns what takes it away again
 */
export function limitStorage(quotaBytes: number): () => void {
  const { local } = fakeBrowser.storage as unknown as { local: Record<string, unknown> };
  const { set } = local as { set: (items: object) => Promise<void> };
  const read = async () => (await fakeBrowser.storage.local.get()) as Record<string, unknown>;
  const sizeOf = (items: Record<string, unknown>) =>
    Object.entries(items).reduce((sum, [key, value]) => {
      return sum + Buffer.byteLength(key + JSON.stringify(value));
    }, 0);
  local.QUOTA_BYTES = quotaBytes;
  local.getBytesInUse = async (keys: string[] | null) => {
    const all = Object.entries(await read());
    return sizeOf(Object.fromEntries(all.filter(([key]) => keys === null || keys.includes(key))));
  };
  local.set = async (items: object) => {
    if (sizeOf({ ...(await read()), ...items }) > quotaBytes) {
      throw new Error('Resource::kQuotaBytes quota exceeded');
    }
    await set.call(local, items);
  };
  return () => {
    local.set = set;
    delete local.QUOTA_BYTES;
    delete local.getBytesInUse;
  };
}
