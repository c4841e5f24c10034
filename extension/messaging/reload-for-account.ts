import { browser } from 'wxt/browser';
import { ACCOUNT_CHANGED, type AccountChanged } from './protocol.ts';

/**
 * Reloads the page when another account of its server is in use: what is under way in it, such as a change of
 * all links, must not go on with that one.
 */
export function reloadForAccount(serverOrigin: string): void {
  browser.runtime.onMessage.addListener((message: Partial<AccountChanged> | undefined) => {
    const { kind, serverOrigin: changed = serverOrigin } = message ?? {};
    if (kind === ACCOUNT_CHANGED && changed === serverOrigin) location.reload();
    return undefined;
  });
}
