import { browser } from 'wxt/browser';
import type { z } from 'zod';
import { type ItemKey, inStorageTurn, SET_ASIDE, type Unread } from './define-item.ts';
import { type StorageArea, writeStored } from './quota.ts';

export type FamilyOptions<T> = {
  version: number;
  schema: z.ZodType<T>;
  /** An item of former versions, a record of one entry by name. It is taken over, then removed. */
  former?: string;
};

/** Lists of one kind, each an item of its own: one is read or written without the others. */
export type Family<T> = {
  /** What the items' keys begin with; a colon and the list's name follow. */
  key: ItemKey;
  /** The list under a name, empty when there is none; costs one get. */
  read(name: string): Promise<T[]>;
  /** Every list that holds something, by name. */
  readAll(): Promise<Map<string, T[]>>;
  /** Reads, changes and writes one list in one turn; an empty one is removed. */
  update(name: string, change: (list: T[]) => T[]): Promise<void>;
  /** The same for many at once. @param change gives the lists that are to be written */
  updateAll(change: (lists: Map<string, T[]>) => Map<string, T[]>): Promise<void>;
  /** What reading has to leave out, by the key in storage. */
  findUnread(): Promise<Map<string, Unread>>;
  /** Gives up what cannot be read under a key of `findUnread`. */
  dropUnread(itemKey: string): Promise<void>;
};

/** As it stands in storage. */
type Kept = { version: number; list: unknown[] };
type Items = Record<string, unknown>;

/**
 * An entry that cannot be read is skipped, and stays in its list. A list that is none, or that a
 * newer version wrote, is set aside by the write that comes next, as an item is.
 */
export function defineFamily<T>(
  key: ItemKey,
  { version, schema, former }: FamilyOptions<T>,
): Family<T> {
  const [area, prefix] = key.split(':') as [StorageArea, string];
  const keyOf = (name: string) => `${prefix}:${name}`;
  const stored = () => browser.storage[area];

  function parse(kept: unknown): T[] {
    if (!isKept(kept)) return [];
    return kept.list.flatMap((entry) => {
      const parsed = schema.safeParse(entry);
      return parsed.success ? [parsed.data] : [];
    });
  }

  function parseAll(items: Items): Map<string, T[]> {
    const lists = new Map<string, T[]>();
    for (const [itemKey, kept] of Object.entries(items)) {
      const list = itemKey.startsWith(`${prefix}:`) ? parse(kept) : [];
      if (list.length > 0) lists.set(itemKey.slice(prefix.length + 1), list);
    }
    return lists;
  }

  function leftOut(kept: unknown): Unread | undefined {
    if (!isKept(kept) || kept.version > version) return unreadOf(kept, version);
    const value = kept.list.filter((entry) => !schema.safeParse(entry).success);
    return value.length > 0 ? { reason: 'damaged', version: kept.version, value } : undefined;
  }

  async function write(lists: Map<string, T[]>, before: Items): Promise<void> {
    const written: Items = {};
    const emptied: string[] = [];
    for (const [name, list] of lists) {
      const kept = before[keyOf(name)];
      const unread = isKept(kept)
        ? kept.list.filter((entry) => !schema.safeParse(entry).success)
        : [];
      const whole: unknown[] = [...list, ...unread];
      if (whole.length > 0) written[keyOf(name)] = { version, list: whole } satisfies Kept;
      else emptied.push(keyOf(name));
      const aside = unreadOf(kept, version);
      if (aside) written[`${SET_ASIDE}${keyOf(name)}:${Date.now()}`] = aside;
    }
    // Before the others, which may need the room.
    if (emptied.length > 0) await stored().remove(emptied);
    if (Object.keys(written).length > 0) await writeStored(area, written);
  }

  /** The new items first, then the old one's end: whatever fails in between, nothing is lost. */
  const takeOver = (older: string) =>
    inStorageTurn(async () => {
      const found: unknown = (await stored().get(older))[older];
      // Somebody else who looked at the same time has taken it over.
      if (found === undefined) return;
      if (typeof found !== 'object' || Array.isArray(found)) {
        const aside: Unread = { reason: 'damaged', version: 1, value: found };
        await writeStored(area, { [`${SET_ASIDE}${older}:${Date.now()}`]: aside });
        return stored().remove([older, `${older}$`]);
      }
      const record = Object.entries(Object(found));
      const there: Items = await stored().get(record.map(([name]) => keyOf(name)));
      const items: Items = {};
      for (const [name, entry] of record) {
        const kept = there[keyOf(name)];
        const list = isKept(kept) ? kept.list : [];
        // It is there already where an attempt before this one did not come to its end.
        if (list.some((other) => JSON.stringify(other) === JSON.stringify(entry))) continue;
        items[keyOf(name)] = { version, ...(isKept(kept) && kept), list: [...list, entry] };
      }
      await writeStored(area, items);
      await stored().remove([older, `${older}$`]);
    });

  /** All that stands there, by key. @param names of the lists that matter, else all */
  async function load(names?: string[]): Promise<Items> {
    const wanted = names && [...names.map(keyOf), ...(former ? [former] : [])];
    const items: Items = await stored().get(wanted ?? null);
    if (!former || (items[former] ?? null) === null) return items;
    await takeOver(former);
    return stored().get(wanted ?? null);
  }

  return {
    key,
    read: async (name) => parse((await load([name]))[keyOf(name)]),
    readAll: async () => parseAll(await load()),
    async update(name, change) {
      await load([name]);
      await inStorageTurn(async () => {
        const items: Items = await stored().get(keyOf(name));
        await write(new Map([[name, change(parse(items[keyOf(name)]))]]), items);
      });
    },
    async updateAll(change) {
      await load([]);
      await inStorageTurn(async () => {
        const items: Items = await stored().get(null);
        await write(change(parseAll(items)), items);
      });
    },
    async findUnread() {
      const unread = new Map<string, Unread>();
      for (const [itemKey, kept] of Object.entries(await load())) {
        const found = itemKey.startsWith(`${prefix}:`) && leftOut(kept);
        if (found) unread.set(itemKey, found);
      }
      return unread;
    },
    dropUnread: (itemKey) =>
      inStorageTurn(async () => {
        const list = parse((await stored().get(itemKey))[itemKey]);
        if (list.length === 0) await stored().remove(itemKey);
        else await writeStored(area, { [itemKey]: { version, list } satisfies Kept });
      }),
  };
}

function isKept(value: unknown): value is Kept {
  return typeof value === 'object' && value !== null && Array.isArray((value as Kept).list);
}

/** What a write would lose. */
function unreadOf(kept: unknown, version: number): Unread | undefined {
  if (kept === undefined || kept === null) return undefined;
  if (!isKept(kept)) return { reason: 'damaged', version, value: kept };
  if (kept.version > version) return { reason: 'newer', version: kept.version, value: kept };
  return undefined;
}
