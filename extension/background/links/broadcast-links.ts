import { browser } from 'wxt/browser';
import { LINKS_CHANGED } from '../../messaging/protocol.ts';

/** Notifies all open pages that a link was created. */
export function broadcastLinks(): void {
  // Rejects if no page is open.
  browser.runtime.sendMessage({ kind: LINKS_CHANGED }).catch(() => {});
}
