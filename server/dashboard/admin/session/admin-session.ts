import { signal } from '@preact/signals';
import type { EndedKeys } from '../../session/ended-keys.ts';
import type { TokenStorage } from '../../session/session.ts';

const TOKEN_KEY = 'curt-admin-token';

export type AdminSignOutReason = 'by_user' | 'expired';
export type AdminSession = ReturnType<typeof createAdminSession>;

/** The token of whoever administers. It reads every link, so it never stays on a device. */
export function createAdminSession(temporary: TokenStorage, ended: EndedKeys) {
  const token = signal(stored());
  const signedOut = signal<AdminSignOutReason | undefined>(undefined);

  /** One that was signed out with elsewhere is deleted: this tab is a copy. */
  function stored(): string | undefined {
    const found = temporary.getItem(TOKEN_KEY) ?? undefined;
    if (found === undefined || !ended.has(found)) return found;
    temporary.removeItem(TOKEN_KEY);
    return undefined;
  }

  function signIn(newToken: string): void {
    ended.remove(newToken);
    temporary.setItem(TOKEN_KEY, newToken);
    token.value = newToken;
    signedOut.value = undefined;
  }

  /** Signs out all tabs that use the same token. */
  function signOut(reason: AdminSignOutReason): void {
    if (token.value !== undefined) ended.add(token.value);
    temporary.removeItem(TOKEN_KEY);
    token.value = undefined;
    signedOut.value = reason;
  }

  /** Takes over that another tab has signed out. */
  function refresh(): void {
    const now = stored();
    if (now === token.value) return;
    token.value = now;
    signedOut.value = 'by_user';
  }

  return { token, signedOut, signIn, signOut, refresh };
}
