import { browser } from 'wxt/browser';
import type { z } from 'zod';
import { createKeyedMutex } from '../../shared/keyed-mutex.ts';
import { type StorageArea, writeStored } from './quota.ts';

export type ItemKey = `${StorageArea}:${string}`;

export type ItemOptions<T> = {
  /** Stored in `<key>$` from version 2 on. */
  version: number;
  fallback: T;
  schema: z.ZodType<T>;
  /** Migrates a value of the previous version to this version. */
  migrations?: Record<number, (older: unknown) => unknown>;
};

/** A stored value that cannot be read, or only in part. */
export type QuarantinedItem = {
  reason: 'damaged' | 'newer';
  version: number;
  value: unknown;
};

export type Item<T> = {
  key: ItemKey;
  read(): Promise<T>;
  /** Reads, changes and writes exclusively, so that concurrent writers do not overwrite each other. */
  update(change: (value: T) => T): Promise<T>;
  /** The part of the value that `read` ignores. */
  findQuarantined(): Promise<QuarantinedItem | undefined>;
  /** Deletes the unreadable part. */
  dropQuarantined(): Promise<void>;
};

/** Keys of quarantined values: this prefix, the item's name and the time. */
export const QUARANTINE_PREFIX = 'quarantined:';

const runExclusive = createKeyedMutex();
/** Runs one task at a time for all items together, because erasing the data writes to all of them. */
export const runStorageExclusive = <T>(task: () => Promise<T>) => runExclusive('storage', task);

/**
 * Defines an item of the extension's storage. Reading migrates older versions. An unreadable value is
 * never overwritten: the next write moves it to a key of its own.
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

  /** Returns undefined, which no schema accepts, if a migration fails. */
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
    isQuarantined = area === 'local',
  ): Promise<void> {
    return writeStored(area, {
      [name]: value,
      ...((version > 1 || quarantined) && { [versionKey]: { v: version } }),
      // In the same write, so that both succeed or both fail.
      ...(quarantined &&
        isQuarantined && { [`${QUARANTINE_PREFIX}${name}:${Date.now()}`]: quarantined }),
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

/** Whether the schema preserved everything in `raw`. */
function containsAll(parsed: unknown, raw: unknown): boolean {
  if (typeof raw !== 'object' || raw === null) return parsed === raw;
  if (typeof parsed !== 'object' || parsed === null) return false;
  return Object.entries(raw).every(
    ([key, value]) =>
      value === undefined || containsAll((parsed as Record<string, unknown>)[key], value),
  );
}
