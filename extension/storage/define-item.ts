import { browser } from 'wxt/browser';
import type { z } from 'zod';
import { createKeyedMutex } from '../../shared/keyed-mutex.ts';
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
export type QuarantinedItem = {
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
  findQuarantined(): Promise<QuarantinedItem | undefined>;
  /** Gives up what cannot be read. */
  dropQuarantined(): Promise<void>;
};

/** Where the next write sets aside what it could not read: this, the item's name and the time. */
export const QUARANTINE_PREFIX = 'quarantined:';

/** Every write takes its turn, that of another item too: forgetting all of them is one of them. */
const runExclusive = createKeyedMutex();
export const runStorageExclusive = <T>(task: () => Promise<T>) => runExclusive('storage', task);

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

  async function load(): Promise<{ value: T; quarantined?: QuarantinedItem }> {
    const stored = await browser.storage[area].get([name, versionKey]);
    const raw = stored[name] ?? undefined;
    if (raw === undefined) return { value: fallback };
    const storedVersion = versionOf(stored[versionKey]);
    const migrated = migrate(raw, storedVersion);
    const parsed = schema.safeParse(migrated);
    const value = parsed.success ? parsed.data : fallback;
    if (storedVersion > version) {
      return { value, quarantined: { reason: 'newer', version: storedVersion, value: raw } };
    }
    if (parsed.success && containsAll(value, migrated)) return { value };
    return { value, quarantined: { reason: 'damaged', version: storedVersion, value: raw } };
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

  function write(
    value: T,
    quarantined: QuarantinedItem | undefined,
    isKept = area === 'local',
  ): Promise<void> {
    return writeStored(area, {
      [name]: value,
      ...((version > 1 || quarantined) && { [versionKey]: { v: version } }),
      // In the same write: where there is no room for both, neither is done.
      ...(quarantined && isKept && { [`${QUARANTINE_PREFIX}${name}:${Date.now()}`]: quarantined }),
    });
  }

  return {
    key,
    read: async () => (await load()).value,
    findQuarantined: async () => (await load()).quarantined,
    update: (change) =>
      runStorageExclusive(async () => {
        const { value, quarantined } = await load();
        const next = change(value);
        await write(next, quarantined);
        return next;
      }),
    dropQuarantined: () =>
      runStorageExclusive(async () => {
        const { value, quarantined } = await load();
        if (quarantined) await write(value, quarantined, false);
      }),
  };
}

function versionOf(meta: unknown): number {
  const { v } = (meta ?? {}) as { v?: unknown };
  return typeof v === 'number' ? v : 1;
}

/** Whether all that stands in `raw` came through its schema. */
function containsAll(parsed: unknown, raw: unknown): boolean {
  if (typeof raw !== 'object' || raw === null) return parsed === raw;
  if (typeof parsed !== 'object' || parsed === null) return false;
  return Object.entries(raw).every(
    ([key, value]) =>
      value === undefined || containsAll((parsed as Record<string, unknown>)[key], value),
  );
}
