import type { z } from 'zod';
import { createKeyedMutex } from '../../shared/keyed-mutex.ts';
import { containsAll, type StorageArea, StorageError, storedAreas } from './stored-area.ts';

export type ItemKey = `${StorageArea}:${string}`;

type ItemOptions<T> = {
  fallback: T;
  /** Called when a value is first parsed. */
  schema: () => z.ZodType<T>;
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
  /** Reads the value from memory. It must not be changed. */
  read(): Promise<T>;
  /**
   * Reads, changes and writes exclusively, so that concurrent writers do not overwrite each other. Writes
   * nothing if `change` returns the same value.
   *
   * @param isObsolete tells, while nothing else is written, whether the change must not be made any more
   * @throws StorageError
   */
  update(change: (value: T) => T, isObsolete?: IsObsolete): Promise<T>;
  /** Works like `update`, for what nobody misses: if it can't be written, the value stays as it is. */
  updateIfPossible(change: (value: T) => T, isObsolete?: IsObsolete): Promise<void>;
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

/** What is stored, as the item's schema reads it. */
type Parsed<T> = { value: T; quarantined?: QuarantinedItem };

/** The version of all items. A later one is stored in `<key>$`. */
const VERSION = 1;

/**
 * Defines an item of the extension's storage. It is parsed when it is first read. An unreadable value is never
 * overwritten: the next write moves it to a key of its own.
 */
export function defineItem<T>(key: ItemKey, { fallback, schema }: ItemOptions<T>): Item<T> {
  const [areaName, name] = key.split(':') as [StorageArea, string];
  const versionName = `${name}$`;
  const area = storedAreas[areaName];
  let last: { raw: unknown; meta: unknown; parsed: Parsed<T> } | undefined;

  async function load(): Promise<Parsed<T>> {
    const stored = await area.read();
    const [raw, meta] = [stored.get(name), stored.get(versionName)];
    if (last?.raw !== raw || last?.meta !== meta) last = undefined;
    last ??= { raw, meta, parsed: parse(raw, meta) };
    return last.parsed;
  }

  function parse(raw: unknown, meta: unknown): Parsed<T> {
    if (raw === undefined || raw === null) return { value: fallback };
    const version = (meta as { v?: number } | undefined)?.v ?? VERSION;
    const parsed = schema().safeParse(raw);
    const value = parsed.success ? parsed.data : fallback;
    if (version > VERSION) return { value, quarantined: { reason: 'newer', version, value: raw } };
    if (parsed.success && containsAll(value, raw)) return { value };
    return { value, quarantined: { reason: 'damaged', version, value: raw } };
  }

  async function write(
    value: T,
    quarantined: QuarantinedItem | undefined,
    isQuarantined = areaName === 'local',
  ): Promise<void> {
    await area.write({
      [name]: value,
      ...(quarantined && { [versionName]: { v: VERSION } }),
      // In the same write, so that both succeed or both fail.
      ...(quarantined &&
        isQuarantined && { [`${QUARANTINE_PREFIX}${name}:${Date.now()}`]: quarantined }),
    });
    last = { raw: value, meta: (await area.read()).get(versionName), parsed: { value } };
  }

  const update: Item<T>['update'] = (change, isObsolete) =>
    runStorageExclusive(async () => {
      const { value, quarantined } = await load();
      if (await isObsolete?.()) return value;
      const next = change(value);
      if (next !== value) await write(next, quarantined);
      return next;
    });

  return {
    key,
    read: async () => (await load()).value,
    findQuarantined: async () => (await load()).quarantined,
    update,
    async updateIfPossible(change, isObsolete) {
      try {
        await update(change, isObsolete);
      } catch (error) {
        if (!(error instanceof StorageError)) throw error;
      }
    },
    dropQuarantined: () =>
      runStorageExclusive(async () => {
        const { value, quarantined } = await load();
        if (quarantined) await write(value, quarantined, false);
      }),
  };
}
