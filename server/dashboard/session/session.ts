import { signal } from '@preact/signals';
import type { EndedKeys } from './ended-keys.ts';

/** The parts of `Storage` that hold the token. */
export type TokenStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

export type SessionParts = {
  /** Ends with the tab. */
  temporary: TokenStorage;
  /** Stays on the device. */
  lasting: TokenStorage;
  /** Keys that other tabs have signed out with. @default none */
  ended?: EndedKeys;
  /** Called when whoever used the tab is done with it, or another account comes. */
  onLeave?(): void;
};

/** Why the user was signed out. */
export type SignOutReason = 'by_user' | 'token_revoked' | 'account_deleted';

export type Session = ReturnType<typeof createSession>;

/** The home page reads it, too (`server/web/views/assets/home.js`). */
export const TOKEN_KEY = 'curt-token';

/**
 * Who is signed in: the account's token, in one of two storages. The temporary one takes precedence, so
 * that a tab can be in another account than the device. A token may be the only copy, so no token is
 * deleted for another one, except by a sign-in that stays.
 */
export function createSession({ temporary, lasting, ended, onLeave }: SessionParts) {
  const token = signal(stored());
  const signedOut = signal<SignOutReason | undefined>(undefined);

  /** The token of this tab. One that was signed out with elsewhere is deleted: this tab is a copy. */
  function stored(): string | undefined {
    for (const storage of [temporary, lasting]) {
      const found = storage.getItem(TOKEN_KEY);
      if (found !== null && !ended?.has(found)) return found;
      if (found !== null) storage.removeItem(TOKEN_KEY);
    }
    return undefined;
  }

  /** @param stays whether the token stays on this device when the tab is closed */
  function signIn(newToken: string, stays: boolean): void {
    ended?.remove(newToken);
    if (token.value !== undefined && token.value !== newToken) onLeave?.();
    if (stays) temporary.removeItem(TOKEN_KEY);
    (stays ? lasting : temporary).setItem(TOKEN_KEY, newToken);
    token.value = newToken;
    signedOut.value = undefined;
  }

  /** Signs out all tabs that use the same token. What was half-written with a revoked one stays. */
  function signOut(reason: SignOutReason): void {
    if (token.value !== undefined) ended?.add(token.value);
    if (reason !== 'token_revoked') onLeave?.();
    for (const storage of [temporary, lasting]) {
      if (storage.getItem(TOKEN_KEY) === token.value) storage.removeItem(TOKEN_KEY);
    }
    token.value = undefined;
    signedOut.value = reason;
  }

  /** Whether the token stays on this device when the tab is closed. */
  const stays = () => token.value !== undefined && lasting.getItem(TOKEN_KEY) === token.value;

  /** Whether another token stays on this device, which a sign-in that stays would delete. */
  function replacesLasting(newToken: string | undefined): boolean {
    const known = lasting.getItem(TOKEN_KEY);
    return known !== null && known !== newToken;
  }

  /** Takes over that another tab of this device signed in or out. */
  function refresh(): void {
    const now = stored();
    if (now === token.value) return;
    onLeave?.();
    token.value = now;
    signedOut.value = now === undefined ? 'by_user' : undefined;
  }

  return { token, signedOut, signIn, signOut, stays, replacesLasting, refresh };
}
