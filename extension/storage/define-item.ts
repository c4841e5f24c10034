import { storage } from 'wxt/utils/storage';
import type { z } from 'zod';
import { createKeyedMutex } from '../../shared/keyed-mutex.ts';
import { type StorageArea, writeStored } from './quota.ts';

export type ItemKey = `${StorageArea}:${string}`;

export type ItemOptions<T> = {
  /** Stored in `<key>$`, if it is not 1. @default 1 */
  version?: number;
  fallback: T;
  schema: z.ZodType<T>;
  /** Each makes a value of its version from one of the version before. */
  migrations?: Record<number, (before: unknown) => unknown>;
};

/** A stored value that cannot be read, or only in part. */
export type QuarantinedItem = {
  reason: 'damaged' | 'newer';
  version: number;
  value: unknown;
};

export type IsObsolete = () => boolean | Promise<boolean>;

export type Item<T> = {
  key: ItemKey;
  read(): Promise<T>;
  /**
   * Reads, changes and writes exclusively, so that concurrent writers do not overwrite each other. Writes
   * nothing if `change` returns the same value.
   *
   * @param isObsolete tells, while nothing else is written, whether the change must not be made any more
   */
  update(change: (value: T) => T, isObsolete?: IsObsolete): Promise<T>;
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
 * Defines an item of the extension's storage. WXT migrates it to its version; the schema makes sure of
 * what is read. An unreadable value is never overwritten: the next write moves it to a key of its own.
 */
export function defineItem<T>(
  key: ItemKey,
  { version = 1, fallback, schema, migrations }: ItemOptions<T>,
): Item<T> {
  const [area, name] = key.split(':') as [StorageArea, string];
  const item = storage.defineItem<unknown, { v?: number }>(key, {
    version,
    ...(migrations && { migrations }),
  });

  async function load(): Promise<{ value: T; quarantined?: QuarantinedItem }> {
    const [raw, { v }] = await Promise.all([item.getValue(), item.getMeta()]);
    if (raw === null) return { value: fallback };
    const storedVersion = v ?? 1;
    const parsed = schema.safeParse(raw);
    const value = parsed.success ? parsed.data : fallback;
    if (storedVersion > version) {
      return { value, quarantined: { reason: 'newer', version: storedVersion, value: raw } };
    }
    if (parsed.success && containsAll(value, raw)) return { value };
    return { value, quarantined: { reason: 'damaged', version: storedVersion, value: raw } };
  }

  function write(
    value: T,
    quarantined: QuarantinedItem | undefined,
    isQuarantined = area === 'local',
  ): Promise<void> {
    return writeStored(area, {
      [name]: value,
      ...((version > 1 || quarantined) && { [`${name}$`]: { v: version } }),
      // In the same write, so that both succeed or both fail.
      ...(quarantined &&
        isQuarantined && { [`${QUARANTINE_PREFIX}${name}:${Date.now()}`]: quarantined }),
    });
  }

  return {
    key,
    read: async () => (await load()).value,
    findQuarantined: async () => (await load()).quarantined,
    update: (change, isObsolete) =>
      runStorageExclusive(async () => {
        const { value, quarantined } = await load();
        if (await isObsolete?.()) return value;
        const next = change(value);
        if (next !== value) await write(next, quarantined);
        return next;
      }),
    dropQuarantined: () =>
      runStorageExclusive(async () => {
        const { value, quarantined } = await load();
        if (quarantined) await write(value, quarantined, false);
      }),
  };
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
