import { browser } from 'wxt/browser';
import { POLICY_CHANGED } from '../../messaging/protocol.ts';

/**
 * Calls `apply` and notifies all open pages when the organization's policy changes. Chromium reads it a
 * moment after the installation.
 */
export function broadcastPolicy(apply: () => Promise<void>): void {
  browser.storage.onChanged.addListener(async (_changes, area) => {
    if (area !== 'managed') return;
    await apply();
    // Rejects if no page is open.
    browser.runtime.sendMessage({ kind: POLICY_CHANGED }).catch(() => {});
  });
}
