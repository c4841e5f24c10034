import { browser } from 'wxt/browser';
import type { Failure, FailureCode } from '../messaging/protocol.ts';

export type StorageArea = 'local' | 'session';

/** A value could not be written, such as on a full disk. The previous value is unchanged. */
export class StorageError extends Error {
  override name = 'StorageError';
}

/** Returns the failure code of an error in the extension itself. */
export function failureCodeOf(error: unknown): FailureCode {
  return error instanceof StorageError ? 'storage_failed' : 'extension_failed';
}

export function toFailure(error: unknown): Failure {
  return { ok: false, code: failureCodeOf(error) };
}

/**
 * An area of the extension's storage, read once and then kept in memory: a click reads dozens of items, and each
 * read from the browser takes about a millisecond. The background is the only writer. Events report what the
 * worker before this one was still writing.
 */
function openArea(name: StorageArea) {
  let values: Promise<Map<string, unknown>> | undefined;
  /** Own writes of each key that no event has reported yet, oldest first. */
  const unreported = new Map<string, unknown[]>();

  browser.storage[name].onChanged.addListener((changes) => {
    for (const [key, { newValue }] of Object.entries(changes))
      noteChange(key, newValue ?? undefined);
  });

  function noteChange(key: string, newValue: unknown): void {
    const own = unreported.get(key) ?? [];
    const index = own.findIndex((value) => isSame(value, newValue));
    const later = index === -1 ? [] : own.slice(index + 1);
    unreported.set(key, later);
    // An own write has replaced it by now.
    if (later.length > 0) return;
    void values?.then((all) => {
      // A value that is known stays the same object, so that its item is not parsed again.
      if (!isSame(all.get(key), newValue)) all.set(key, newValue);
    });
  }

  function load(): Promise<Map<string, unknown>> {
    values ??= browser.storage[name].get().then(
      (all) => new Map(Object.entries(all)),
      (error: unknown) => {
        values = undefined;
        throw error;
      },
    );
    return values;
  }

  /** Writes all items or none. @throws StorageError */
  async function write(items: Record<string, unknown>): Promise<void> {
    const all = await load();
    const added = Object.entries(items);
    for (const [key, value] of added) unreported.set(key, [...(unreported.get(key) ?? []), value]);
    try {
      await browser.storage[name].set(items);
    } catch (cause) {
      for (const [key, value] of added) {
        unreported.set(key, unreported.get(key)?.filter((other) => other !== value) ?? []);
      }
      throw new StorageError(`Writing to the ${name} storage failed.`, { cause });
    }
    for (const [key, value] of added) all.set(key, value);
  }

  /** Deletes the values whose keys `isMeant` selects. */
  async function remove(isMeant: (key: string) => boolean): Promise<void> {
    const all = await load();
    // Of what is stored, not only of what is known.
    const keys = Object.keys(await browser.storage[name].get()).filter(isMeant);
    for (const key of keys) unreported.set(key, [...(unreported.get(key) ?? []), undefined]);
    await browser.storage[name].remove(keys);
    for (const key of keys) all.delete(key);
  }

  return {
    /** Reads the values by key. They must not be changed. */
    read: (): Promise<ReadonlyMap<string, unknown>> => load(),
    write,
    remove,
  };
}

export const storedAreas = { local: openArea('local'), session: openArea('session') };

function isSame(one: unknown, other: unknown): boolean {
  return one === other || (containsAll(one, other) && containsAll(other, one));
}

/** Whether everything in `raw` is in `value`, too. */
export function containsAll(value: unknown, raw: unknown): boolean {
  if (typeof raw !== 'object' || raw === null) return value === raw;
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(raw).every(
    ([key, part]) =>
      part === undefined || containsAll((value as Record<string, unknown>)[key], part),
  );
}
