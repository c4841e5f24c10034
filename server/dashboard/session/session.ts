import { signal } from '@preact/signals';

/** The parts of `Storage` that hold the token. */
export type TokenStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

export type SessionParts = {
  /** Ends with the tab. */
  temporary: TokenStorage;
  /** Stays on the device. */
  lasting: TokenStorage;
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
export function createSession({ temporary, lasting }: SessionParts) {
  const token = signal(temporary.getItem(TOKEN_KEY) ?? lasting.getItem(TOKEN_KEY) ?? undefined);
  const signedOut = signal<SignOutReason | undefined>(undefined);

  /** @param stays whether the token stays on this device when the tab is closed */
  function signIn(newToken: string, stays: boolean): void {
    if (stays) temporary.removeItem(TOKEN_KEY);
    (stays ? lasting : temporary).setItem(TOKEN_KEY, newToken);
    token.value = newToken;
    signedOut.value = undefined;
  }

  function signOut(reason: SignOutReason): void {
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
    const stored = temporary.getItem(TOKEN_KEY) ?? lasting.getItem(TOKEN_KEY) ?? undefined;
    if (stored === token.value) return;
    token.value = stored;
    signedOut.value = stored === undefined ? 'by_user' : undefined;
  }

  return { token, signedOut, signIn, signOut, stays, replacesLasting, refresh };
}
