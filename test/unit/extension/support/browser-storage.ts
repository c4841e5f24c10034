import { fakeBrowser } from 'wxt/testing/fake-browser';

type Items = Record<string, unknown>;
type Area = {
  isLikeChromium?: boolean;
  get(keys?: string | string[] | null): Promise<Items>;
  set(items: Items): Promise<void>;
  onChanged: { removeAllListeners(): void };
};

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

/** Makes all writes to `storage.local` fail, as on a full disk. @returns a function that undoes this */
export function breakStorage(): () => void {
  const { local } = fakeBrowser.storage as unknown as { local: Area };
  const { set } = local;
  local.set = () => Promise.reject(new Error('The disk is gone'));
  return () => {
    local.set = set;
  };
}

/** Resolves once something is so, which a write changes. */
export function whenStored(isSo: () => Promise<boolean>): Promise<void> {
  const { onChanged } = fakeBrowser.storage;
  return new Promise((resolve) => {
    // The extension hears of the change, too, and the write doesn't wait for it.
    const check = () => void setImmediate(compare);
    async function compare(): Promise<void> {
      if (!(await isSo())) return;
      onChanged.removeListener(check);
      resolve();
    }
    onChanged.addListener(check);
    check();
  });
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
 * WXT's fake storage returns its own objects with unsorted keys. Chromium returns copies whose keys are sorted at
 * every level, and omits missing keys.
 */
function actLikeChromium(area: Area): void {
  const { get, set } = area;
  area.isLikeChromium = true;
  area.get = async (keys = null) => sorted(await get.call(area, keys)) as Items;
  area.set = (items) => set.call(area, sorted(items) as Items);
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
