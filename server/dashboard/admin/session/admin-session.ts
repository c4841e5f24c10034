import { signal } from '@preact/signals';
import type { TokenStorage } from '../../session/session.ts';

const TOKEN_KEY = 'curt-admin-token';

export type AdminSignOutReason = 'by_user' | 'expired';
export type AdminSession = ReturnType<typeof createAdminSession>;

/** The token of whoever administers. It reads every link, so it never stays on a device. */
export function createAdminSession(temporary: TokenStorage) {
  const token = signal(temporary.getItem(TOKEN_KEY) ?? undefined);
  const signedOut = signal<AdminSignOutReason | undefined>(undefined);

  function signIn(newToken: string): void {
    temporary.setItem(TOKEN_KEY, newToken);
    token.value = newToken;
    signedOut.value = undefined;
  }

  function signOut(reason: AdminSignOutReason): void {
    temporary.removeItem(TOKEN_KEY);
    token.value = undefined;
    signedOut.value = reason;
  }

  return { token, signedOut, signIn, signOut };
}
