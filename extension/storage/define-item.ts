import { browser } from 'wxt/browser';
import type { z } from 'zod';
import { createTurns } from '../../shared/keyed-mutex.ts';
import { type StorageArea, writeStored } from './quota.ts';

export type ItemKey = `${StorageArea}:${string}`;

export type ItemOptions<T> = {
  /** Stands in `<key>$` from 2 on. */
  version: number;
  fallback: T;
  schema: z.ZodType<T>;
  /** What makes a value of this version out of one of the version before. */
  migrations?: Record<number, (older: unknown) => unknown>;
};

/** What stands in storage and cannot be read, or not wholly. */
export type Unread = {
  reason: 'damaged' | 'newer';
  version: number;
  value: unknown;
};

export type Item<T> = {
  key: ItemKey;
  read(): Promise<T>;
  /** Reads, changes and writes in one turn, so that no two writers undo each other. */
  update(change: (value: T) => T): Promise<T>;
  /** What `read` has to leave out. */
  findUnread(): Promise<Unread | undefined>;
  /** Gives up what cannot be read. */
  dropUnread(): Promise<void>;
};

/** Where the next write sets aside what it could not read: this, the item's name and the time. */
export const SET_ASIDE = 'unreadable:';

/** Every write takes its turn, that of another item too: forgetting all of them is one of them. */
const inTurn = createTurns();
export const inStorageTurn = <T>(task: () => Promise<T>) => inTurn('storage', task);

/**
 * An item of the extension's storage. An older version is migrated as it is read. What cannot be
 * read is never written over: the write that comes next sets it aside under a key of its own.
 */
export function defineItem<T>(
  key: ItemKey,
  { version, fallback, schema, migrations = {} }: ItemOptions<T>,
): Item<T> {
  const [area, name] = key.split(':') as [StorageArea, string];
  const versionKey = `${name}$`;

  async function load(): Promise<{ value: T; unread?: Unread }> {
    const stored = await browser.storage[area].get([name, versionKey]);
    const raw = stored[name] ?? undefined;
    if (raw === undefined) return { value: fallback };
    const storedVersion = versionOf(stored[versionKey]);
    const migrated = migrate(raw, storedVersion);
    const parsed = schema.safeParse(migrated);
    const value = parsed.success ? parsed.data : fallback;
    if (storedVersion > version) {
      return { value, unread: { reason: 'newer', version: storedVersion, value: raw } };
    }
    if (parsed.success && holdsAll(value, migrated)) return { value };
    return { value, unread: { reason: 'damaged', version: storedVersion, value: raw } };
  }

  /** Undefined, which no schema takes, where a migration stumbles over what it finds. */
  function migrate(raw: unknown, from: number): unknown {
    try {
      let value = raw;
      for (let to = from + 1; to <= version; to++) value = migrations[to]?.(value) ?? value;
      return value;
    } catch {
      return undefined;
    }
  }

  function write(value: T, unread: Unread | undefined, isKept = area === 'local'): Promise<void> {
    return writeStored(area, {
      [name]: value,
      ...((version > 1 || unread) && { [versionKey]: { v: version } }),
      // In the same write: where there is no room for both, neither is done.
      ...(unread && isKept && { [`${SET_ASIDE}${name}:${Date.now()}`]: unread }),
    });
  }

  return {
    key,
    read: async () => (await load()).value,
    findUnread: async () => (await load()).unread,
    update: (change) =>
      inStorageTurn(async () => {
        const { value, unread } = await load();
        const next = change(value);
        await write(next, unread);
        return next;
      }),
    dropUnread: () =>
      inStorageTurn(async () => {
        const { value, unread } = await load();
        if (unread) await write(value, unread, false);
      }),
  };
}

function versionOf(meta: unknown): number {
  const { v } = (meta ?? {}) as { v?: unknown };
  return typeof v === 'number' ? v : 1;
}

/** Whether all that stands in `raw` came through its schema. */
function holdsAll(parsed: unknown, raw: unknown): boolean {
  if (typeof raw !== 'object' || raw === null) return parsed === raw;
  if (typeof parsed !== 'object' || parsed === null) return false;
  return Object.entries(raw).every(
    ([key, value]) =>
      value === undefined || holdsAll((parsed as Record<string, unknown>)[key], value),
  );
}
