const MAX_KEYS = 50;
/** Enough to tell keys apart, and far too little to guess one. */
const KNOWN_CHARACTERS = 12;

export type EndedKeys = ReturnType<typeof createEndedKeys>;

/**
 * The keys that somebody has signed out with on this device. A duplicated tab, and one that the browser
 * restores, has a copy of its key, which must not sign in again.
 *
 * @param storage of the device
 * @param name of the item in it
 */
export function createEndedKeys(
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>,
  name: string,
) {
  const read = (): string[] => (storage.getItem(name) ?? '').split(' ').filter(Boolean);
  function write(keys: string[]): void {
    if (keys.length === 0) storage.removeItem(name);
    else storage.setItem(name, keys.slice(-MAX_KEYS).join(' '));
  }
  const markOf = (key: string) => key.slice(0, KNOWN_CHARACTERS);
  const others = (key: string) => read().filter((one) => one !== markOf(key));

  return {
    has: (key: string) => read().includes(markOf(key)),
    add: (key: string) => write([...others(key), markOf(key)]),
    /** Somebody signs in with it again. */
    remove: (key: string) => write(others(key)),
  };
}
