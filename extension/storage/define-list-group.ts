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

/** Lists of one kind, each an item of its own: one is read or written without the others. */
export type ListGroup<T> = {
  /** What the items' keys begin with; a colon and the list's name follow. */
  key: ItemKey;
  /** The list under a name, empty when there is none; costs one get. */
  read(name: string): Promise<T[]>;
  /** Every list that holds something, by name. */
  readAll(): Promise<Map<string, T[]>>;
  /** Reads, changes and writes one list in one turn; an empty one is removed. */
  update(name: string, change: (list: T[]) => T[]): Promise<void>;
  /**
   * The same for many at once, written a few hundred at a time.
   *
   * @param change gives the lists that are to be written, in this order
   * @param onWritten is called with those that each write has stored
   * @throws QuotaExceededError where they do not fit; those before have been written
   */
  updateAll(
    change: (lists: Map<string, T[]>) => Map<string, T[]>,
    onWritten?: (lists: Map<string, T[]>) => void,
  ): Promise<void>;
  /** The lists in what `storage.onChanged` reports, by name; an empty one was removed. */
  readChanges(changes: Record<string, { newValue?: unknown }>): Map<string, T[]>;
  /** What reading has to leave out, by the key in storage. */
  findQuarantined(): Promise<Map<string, QuarantinedItem>>;
  /** Gives up what cannot be read under a key of `findQuarantined`. */
  dropQuarantined(itemKey: string): Promise<void>;
};

/** As it stands in storage. */
type StoredList = { version: number; list: unknown[] };
type Items = Record<string, unknown>;

/** More at a time would leave whoever waits without a sign of progress. */
const LISTS_PER_WRITE = 500;

/**
 * An entry that cannot be read is skipped, and stays in its list. A list that is none, or that a
 * newer version wrote, is set aside by the write that comes next, as an item is.
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
      const aside = quarantinedOf(stored, version);
      if (aside) written[`${QUARANTINE_PREFIX}${keyOf(name)}:${Date.now()}`] = aside;
    }
    // Before the others, which may need the room.
    if (emptied.length > 0) await storage().remove(emptied);
    if (Object.keys(written).length > 0) await writeStored(area, written);
  }

  /** All that stands there, by key. @param names of the lists that matter, else all */
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

/** What a write would lose. */
function quarantinedOf(stored: unknown, version: number): QuarantinedItem | undefined {
  if (stored === undefined || stored === null) return undefined;
  if (!isStoredList(stored)) return { reason: 'damaged', version, value: stored };
  if (stored.version > version) return { reason: 'newer', version: stored.version, value: stored };
  return undefined;
}
