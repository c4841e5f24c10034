import { fakeBrowser } from 'wxt/testing/fake-browser';

type Items = Record<string, unknown>;
type Area = {
  QUOTA_BYTES: number;
  get(keys?: string | string[] | null): Promise<Items>;
  set(items: Items): Promise<void>;
  getBytesInUse(keys: string | string[] | null): Promise<number>;
  setAccessLevel(): Promise<void>;
};

/** Chromium's, of `local` and of `session` alike. */
const QUOTA_BYTES = 10 * 1024 * 1024;

for (const area of ['local', 'session'] as const) {
  actLikeChromium(fakeBrowser.storage[area] as unknown as Area);
}

/** Lets less fit into `storage.local`. @returns what restores the usual quota */
export function limitStorage(quotaBytes: number): () => void {
  const { local } = fakeBrowser.storage as unknown as { local: Area };
  local.QUOTA_BYTES = quotaBytes;
  return () => {
    local.QUOTA_BYTES = QUOTA_BYTES;
  };
}

/** Makes every write to `storage.local` fail. @returns what makes them succeed again */
export function breakStorage(): () => void {
  const { local } = fakeBrowser.storage as unknown as { local: Area };
  const { set } = local;
  local.set = () => Promise.reject(new Error('The disk is gone'));
  return () => {
    local.set = set;
  };
}

/**
 * WXT's storage area hands out its own objects, with their keys as they were written, and takes any
 * amount. Chromium hands out copies whose keys are sorted at every level, leaves out what is not
 * there, and refuses a write that exceeds the quota as a whole.
 */
function actLikeChromium(area: Area): void {
  const { get, set } = area;
  const read = async () => (await get.call(area, null)) as Items;

  area.QUOTA_BYTES = QUOTA_BYTES;
  area.get = async (keys = null) => sorted(await get.call(area, keys)) as Items;
  area.getBytesInUse = async (keys) => {
    const wanted = keys === null ? undefined : new Set([keys].flat());
    return sizeOf(Object.entries(await read()).filter(([key]) => wanted?.has(key) ?? true));
  };
  area.set = async (items) => {
    const added = sorted(items) as Items;
    if (sizeOf(Object.entries({ ...(await read()), ...added })) > area.QUOTA_BYTES) {
      throw new Error('Resource::kQuotaBytes quota exceeded');
    }
    await set.call(area, added);
  };
}

/** A copy, as JSON has it. */
function sorted(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_, part: unknown) =>
      part === null || typeof part !== 'object' || Array.isArray(part)
        ? part
        : Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1))),
    ),
  );
}

/** As browsers count: keys, and values as JSON. */
function sizeOf(entries: [string, unknown][]): number {
  return entries.reduce((sum, [key, value]) => {
    return sum + Buffer.byteLength(key) + sizeOfValue(value);
  }, 0);
}

const sizes = new WeakMap<object, number>();

/** The area replaces values and never changes them, so each is measured once. */
function sizeOfValue(value: unknown): number {
  if (value === null || typeof value !== 'object')
    return Buffer.byteLength(JSON.stringify(value) ?? '');
  const size = sizes.get(value) ?? Buffer.byteLength(JSON.stringify(value));
  sizes.set(value, size);
  return size;
}
