import { signal } from '@preact/signals';

/** The parts of `Storage` that hold the token. */
export type TokenStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

type SessionParts = {
  /** Name of the item with the token in both storages. @default that of an account */
  key?: string;
  /** Ends with the tab. */
  temporary: TokenStorage;
  /** Stays on the device. */
  lasting: TokenStorage;
  /** Keys that other tabs have signed out with. @default none */
  ended?: EndedKeys;
  /** Called when whoever used the tab is done with it, or another account comes. */
  onLeave?(left: Left): void;
};

export type Left = {
  /** Whether the address is that of who comes, rather than of who leaves. */
  keepsAddress: boolean;
};

/** Why the user was signed out. */
export type SignOutReason = 'by_user' | 'token_revoked' | 'account_deleted';

export type Session = ReturnType<typeof createSession>;

/** The home page reads it, too (`server/web/views/assets/home.js`). */
export const TOKEN_KEY = 'curt-token';

/**
 * Holds who is signed in: the account's token, in one of two storages. The temporary one takes precedence, so that
 * a tab can be in another account than the device. A token may be the only copy, so no token is deleted for another
 * one, except by a sign-in that stays.
 */
export function createSession({
  key = TOKEN_KEY,
  temporary,
  lasting,
  ended,
  onLeave,
}: SessionParts) {
  /** In the tab: the account that is signed in, or whose key was revoked. Empty if it is not known. */
  const accountKey = `${key}-account`;
  const token = signal(stored());
  const signedOut = signal<SignOutReason | undefined>(undefined);

  /** The token of this tab. One that was signed out with elsewhere is deleted: this tab is a copy. */
  function stored(): string | undefined {
    for (const storage of [temporary, lasting]) {
      const found = storage.getItem(key);
      if (found !== null && !ended?.has(found)) return found;
      if (found !== null) storage.removeItem(key);
    }
    return undefined;
  }

  /**
   * @param stays whether the token stays on this device when the tab is closed
   * @param account of the token, if it is known: what was half-written is for the account that wrote it
   */
  function signIn(newToken: string, stays: boolean, account = ''): void {
    ended?.remove(newToken);
    const keepsAddress = token.value !== undefined;
    const before = temporary.getItem(accountKey);
    const isOther = keepsAddress
      ? token.value !== newToken
      : before !== null && (before === '' || before !== account);
    if (isOther) onLeave?.({ keepsAddress });
    knowAccount(account);
    if (stays) temporary.removeItem(key);
    (stays ? lasting : temporary).setItem(key, newToken);
    token.value = newToken;
    signedOut.value = undefined;
  }

  /** Whose token it is; empty if that is not known. */
  const account = () => temporary.getItem(accountKey) ?? '';

  /** Remembers whose token it is. */
  function knowAccount(known: string): void {
    temporary.setItem(accountKey, known);
  }

  function leave(): void {
    temporary.removeItem(accountKey);
    onLeave?.({ keepsAddress: false });
  }

  /** Takes over the token of another tab, unless somebody is signed in or has signed out with it. */
  function adopt(newToken: string): void {
    if (token.value === undefined && !ended?.has(newToken)) signIn(newToken, false);
  }

  /** Signs out all tabs that use the same token. What was half-written with a revoked one stays for its account. */
  function signOut(reason: SignOutReason): void {
    if (token.value !== undefined) ended?.add(token.value);
    if (reason === 'token_revoked') knowAccount(account());
    else leave();
    for (const storage of [temporary, lasting]) {
      if (storage.getItem(key) === token.value) storage.removeItem(key);
    }
    token.value = undefined;
    signedOut.value = reason;
  }

  /** Whether the token stays on this device when the tab is closed. */
  const stays = () => token.value !== undefined && lasting.getItem(key) === token.value;

  /** Whether another token stays on this device, which a sign-in that stays would delete. */
  function replacesLasting(newToken: string | undefined): boolean {
    const known = lasting.getItem(key);
    return known !== null && known !== newToken;
  }

  /** Takes over that another tab of this device signed in or out. */
  function refresh(): void {
    const now = stored();
    if (now === token.value) return;
    leave();
    token.value = now;
    signedOut.value = now === undefined ? 'by_user' : undefined;
  }

  return {
    token,
    signedOut,
    account,
    knowAccount,
    signIn,
    adopt,
    signOut,
    stays,
    replacesLasting,
    refresh,
  };
}

const MAX_KEYS = 50;
/** Enough to tell keys apart, and far too little to guess one. */
const KNOWN_CHARACTERS = 12;

type EndedKeys = ReturnType<typeof createEndedKeys>;

/**
 * Remembers the keys that somebody has signed out with on this device. A duplicated tab, and one that the browser
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

/** Opens a storage of the browser, or one that ends with the page if the browser allows none. */
export function openStorage(name: 'sessionStorage' | 'localStorage'): TokenStorage {
  try {
    return window[name];
  } catch {
    const items = new Map<string, string>();
    return {
      getItem: (key) => items.get(key) ?? null,
      setItem: (key, value) => void items.set(key, value),
      removeItem: (key) => void items.delete(key),
    };
  }
}
