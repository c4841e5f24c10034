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

/** The home page reads it, too (`server/pages/assets/home.js`). */
export const TOKEN_KEY = 'curt-token';

/** Who is signed in: the account's token, in one of two storages. */
export function createSession({ temporary, lasting }: SessionParts) {
  const token = signal(temporary.getItem(TOKEN_KEY) ?? lasting.getItem(TOKEN_KEY) ?? undefined);
  const signedOut = signal<SignOutReason | undefined>(undefined);

  /** @param stays whether the token stays on this device when the tab is closed */
  function signIn(newToken: string, stays: boolean): void {
    clear();
    (stays ? lasting : temporary).setItem(TOKEN_KEY, newToken);
    token.value = newToken;
    signedOut.value = undefined;
  }

  function signOut(reason: SignOutReason): void {
    clear();
    token.value = undefined;
    signedOut.value = reason;
  }

  function clear(): void {
    temporary.removeItem(TOKEN_KEY);
    lasting.removeItem(TOKEN_KEY);
  }

  /** Takes over that another tab of this device signed in or out. */
  function refresh(): void {
    const stored = temporary.getItem(TOKEN_KEY) ?? lasting.getItem(TOKEN_KEY) ?? undefined;
    if (stored === token.value) return;
    token.value = stored;
    signedOut.value = stored === undefined ? 'by_user' : undefined;
  }

  return { token, signedOut, signIn, signOut, refresh };
}
