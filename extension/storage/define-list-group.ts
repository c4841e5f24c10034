import { browser } from 'wxt/browser';
import type { z } from 'zod';
import {
  type ItemKey,
  QUARANTINE_PREFIX,
  type QuarantinedItem,
  runStorageExclusive,
} from './define-item.ts';
import { type StorageArea, writeStored } from './quota.ts';

export type ListGroupOptions<T> = {
  version: number;
  schema: z.ZodType<T>;
};

/** Lists of one kind, each stored under its own key, so that one is read or written alone. */
export type ListGroup<T> = {
  /** Prefix of the storage keys. A colon and the list's name follow. */
  key: ItemKey;
  /** The list with a name; empty if there is none. Reads storage once. */
  read(name: string): Promise<T[]>;
  /** All lists that are not empty, by name. */
  readAll(): Promise<Map<string, T[]>>;
  /** Reads, changes and writes one list exclusively. An empty list is removed. */
  update(name: string, change: (list: T[]) => T[]): Promise<void>;
  /**
   * Updates many lists at once, in batches.
   *
   * @param change returns the lists to write, in this order
   * @param onWritten is called with the lists of each batch
   * @throws QuotaExceededError if a batch does not fit; earlier batches stay written
   */
  updateAll(
    change: (lists: Map<string, T[]>) => Map<string, T[]>,
    onWritten?: (lists: Map<string, T[]>) => void,
  ): Promise<void>;
  /** The lists in a `storage.onChanged` event, by name; an empty one was removed. */
  readChanges(changes: Record<string, { newValue?: unknown }>): Map<string, T[]>;
  /** The values that reading ignores, by storage key. */
  findQuarantined(): Promise<Map<string, QuarantinedItem>>;
  /** Deletes an unreadable value by its key from `findQuarantined`. */
  dropQuarantined(itemKey: string): Promise<void>;
};

type StoredList = { version: number; list: unknown[] };
type Items = Record<string, unknown>;

/** Small enough to report progress. */
const LISTS_PER_WRITE = 500;

/**
 * Defines a group of lists. Reading skips unreadable entries, and they stay in their list. The next
 * write quarantines a value that is not a list or that a newer version wrote, as for an item.
 */
export function defineListGroup<T>(
  key: ItemKey,
  { version, schema }: ListGroupOptions<T>,
): ListGroup<T> {
  const [area, prefix] = key.split(':') as [StorageArea, string];
  const keyOf = (name: string) => `${prefix}:${name}`;
  const nameOf = (itemKey: string) => itemKey.slice(prefix.length + 1);
  const storage = () => browser.storage[area];

  function parse(stored: unknown): T[] {
    if (!isStoredList(stored)) return [];
    return stored.list.flatMap((entry) => {
      const parsed = schema.safeParse(entry);
      return parsed.success ? [parsed.data] : [];
    });
  }

  function parseAll(items: Items): Map<string, T[]> {
    const lists = new Map<string, T[]>();
    for (const [itemKey, stored] of Object.entries(items)) {
      const list = itemKey.startsWith(`${prefix}:`) ? parse(stored) : [];
      if (list.length > 0) lists.set(nameOf(itemKey), list);
    }
    return lists;
  }

  function findUnreadable(stored: unknown): QuarantinedItem | undefined {
    if (!isStoredList(stored) || stored.version > version) return quarantinedOf(stored, version);
    const value = stored.list.filter((entry) => !schema.safeParse(entry).success);
    return value.length > 0 ? { reason: 'damaged', version: stored.version, value } : undefined;
  }

  async function write(lists: Map<string, T[]>, before: Items): Promise<void> {
    const written: Items = {};
    const emptied: string[] = [];
    for (const [name, list] of lists) {
      const stored = before[keyOf(name)];
      const quarantined = isStoredList(stored)
        ? stored.list.filter((entry) => !schema.safeParse(entry).success)
        : [];
      const whole: unknown[] = [...list, ...quarantined];
      if (whole.length > 0) written[keyOf(name)] = { version, list: whole } satisfies StoredList;
      else emptied.push(keyOf(name));
      const replaced = quarantinedOf(stored, version);
      if (replaced) written[`${QUARANTINE_PREFIX}${keyOf(name)}:${Date.now()}`] = replaced;
    }
    // First, to free storage for the others.
    if (emptied.length > 0) await storage().remove(emptied);
    if (Object.keys(written).length > 0) await writeStored(area, written);
  }

  /** The stored values by key. @param names of the lists to load; all if omitted */
  const load = (names?: string[]): Promise<Items> => storage().get(names?.map(keyOf) ?? null);

  return {
    key,
    read: async (name) => parse((await load([name]))[keyOf(name)]),
    readAll: async () => parseAll(await load()),
    update: (name, change) =>
      runStorageExclusive(async () => {
        const items = await load([name]);
        await write(new Map([[name, change(parse(items[keyOf(name)]))]]), items);
      }),
    updateAll: (change, onWritten = () => {}) =>
      runStorageExclusive(async () => {
        const items = await load();
        const lists = [...change(parseAll(items))];
        for (let start = 0; start < lists.length; start += LISTS_PER_WRITE) {
          const some = new Map(lists.slice(start, start + LISTS_PER_WRITE));
          await write(some, items);
          onWritten(some);
        }
      }),
    readChanges: (changes) =>
      new Map(
        Object.entries(changes)
          .filter(([itemKey]) => itemKey.startsWith(`${prefix}:`))
          .map(([itemKey, { newValue }]) => [nameOf(itemKey), parse(newValue)]),
      ),
    async findQuarantined() {
      const quarantined = new Map<string, QuarantinedItem>();
      for (const [itemKey, stored] of Object.entries(await load())) {
        const found = itemKey.startsWith(`${prefix}:`) && findUnreadable(stored);
        if (found) quarantined.set(itemKey, found);
      }
      return quarantined;
    },
    dropQuarantined: (itemKey) =>
      runStorageExclusive(async () => {
        const list = parse((await storage().get(itemKey))[itemKey]);
        if (list.length === 0) await storage().remove(itemKey);
        else await writeStored(area, { [itemKey]: { version, list } satisfies StoredList });
      }),
  };
}

function isStoredList(value: unknown): value is StoredList {
  return typeof value === 'object' && value !== null && Array.isArray((value as StoredList).list);
}

/** The value that a write would overwrite without reading it. */
function quarantinedOf(stored: unknown, version: number): QuarantinedItem | undefined {
  if (stored === undefined || stored === null) return undefined;
  if (!isStoredList(stored)) return { reason: 'damaged', version, value: stored };
  if (stored.version > version) return { reason: 'newer', version: stored.version, value: stored };
  return undefined;
}
