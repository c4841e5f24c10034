import { fakeBrowser } from 'wxt/testing/fake-browser';

type Items = Record<string, unknown>;
type Area = {
  isLikeChromium?: boolean;
  QUOTA_BYTES: number;
  get(keys?: string | string[] | null): Promise<Items>;
  set(items: Items): Promise<void>;
  onChanged: { removeAllListeners(): void };
  getBytesInUse(keys: string | string[] | null): Promise<number>;
  setAccessLevel(): Promise<void>;
};

/** Chromium's quota for `local` and for `session`. */
const QUOTA_BYTES = 10 * 1024 * 1024;

const AREAS = ['local', 'session'] as const;

for (const name of AREAS) {
  const area = fakeBrowser.storage[name] as unknown as Area;
  // Files of a worker share the fake browser, but not the modules that listen to it.
  area.onChanged.removeAllListeners();
  if (!area.isLikeChromium) actLikeChromium(area);
}

// The extension keeps what it has read. A browser tells it what is gone, and keeps its listeners.
fakeBrowser.storage.resetState = () => {
  fakeBrowser.storage.managed.resetState();
  fakeBrowser.storage.onChanged.removeAllListeners();
  for (const name of AREAS) void fakeBrowser.storage[name].clear();
};

/** Lowers the quota of `storage.local`. @returns a function that restores it */
export function limitStorage(quotaBytes: number): () => void {
  const { local } = fakeBrowser.storage as unknown as { local: Area };
  local.QUOTA_BYTES = quotaBytes;
  return () => {
    local.QUOTA_BYTES = QUOTA_BYTES;
  };
}

/** Makes all writes to `storage.local` fail. @returns a function that undoes this */
export function breakStorage(): () => void {
  const { local } = fakeBrowser.storage as unknown as { local: Area };
  const { set } = local;
  local.set = () => Promise.reject(new Error('The disk is gone'));
  return () => {
    local.set = set;
  };
}

/** Runs a task during the next write of this text. */
export function duringWrite(name: 'local' | 'session', text: string, task: () => unknown): void {
  const area = fakeBrowser.storage[name] as unknown as Area;
  const { set } = area;
  area.set = async (items) => {
    if (JSON.stringify(items).includes(text)) {
      area.set = set;
      void task();
    }
    await set.call(area, items);
  };
}

/**
 * WXT's fake storage returns its own objects with unsorted keys, and has no quota. Chromium returns
 * copies whose keys are sorted at every level, omits missing keys, and rejects a write that exceeds the
 * quota as a whole.
 */
function actLikeChromium(area: Area): void {
  const { get, set } = area;
  const read = async () => (await get.call(area, null)) as Items;

  area.isLikeChromium = true;
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

/** A copy by way of JSON. */
function sorted(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_, part: unknown) =>
      part === null || typeof part !== 'object' || Array.isArray(part)
        ? part
        : Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1))),
    ),
  );
}

/** Browsers count keys, and values as JSON. */
function sizeOf(entries: [string, unknown][]): number {
  return entries.reduce((sum, [key, value]) => {
    return sum + Buffer.byteLength(key) + sizeOfValue(value);
  }, 0);
}

const sizes = new WeakMap<object, number>();

/** Values are replaced but never changed, so each is measured once. */
function sizeOfValue(value: unknown): number {
  if (value === null || typeof value !== 'object')
    return Buffer.byteLength(JSON.stringify(value) ?? '');
  const size = sizes.get(value) ?? Buffer.byteLength(JSON.stringify(value));
  sizes.set(value, size);
  return size;
}
