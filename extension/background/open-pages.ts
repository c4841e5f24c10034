import { browser } from 'wxt/browser';
import type { Broadcast } from '../messaging/send.ts';
import { type PendingRequest, pendingRequests } from '../storage/items.ts';
import { POPUP_PORT } from '../urls/extension-pages.ts';

/** Call synchronously at startup. @returns a function that tells whether a popup is open */
export function watchPopups(): (popupId: string) => boolean {
  const open = new Set<string>();
  browser.runtime.onConnect.addListener(({ name, onDisconnect }) => {
    if (!name.startsWith(POPUP_PORT)) return;
    const popupId = name.slice(POPUP_PORT.length);
    open.add(popupId);
    onDisconnect.addListener(() => open.delete(popupId));
  });
  return (popupId) => open.has(popupId);
}

/** The same key in both storage areas. */
const [, KEY = ''] = pendingRequests.key.split(':');

/** Notifies all open pages when the queue changes. */
export function broadcastQueue(): void {
  browser.storage.onChanged.addListener((changes) => {
    const change = changes[KEY];
    if (change && queuedState(change.oldValue) !== queuedState(change.newValue)) {
      broadcast({ kind: 'queueChanged' });
    }
  });
}

/** The part that pages show. Most requests are settled before they are queued. */
function queuedState(requests: unknown): string {
  const entries = Object.entries((requests ?? {}) as Record<string, PendingRequest>);
  return JSON.stringify(
    entries.flatMap(([id, { failure, isDiscarded, retryAtMs }]) =>
      failure && !isDiscarded ? [id, retryAtMs] : [],
    ),
  );
}

/**
 * Calls `apply` and notifies all open pages when the organization's policy changes. Chromium reads it a
 * moment after the installation.
 */
export function broadcastPolicy(apply: () => Promise<void>): void {
  browser.storage.onChanged.addListener(async (_changes, area) => {
    if (area !== 'managed') return;
    await apply();
    broadcast({ kind: 'policyChanged' });
  });
}

/** Sends a message to all open pages. */
export function broadcast(message: Broadcast): void {
  // Rejects if no page is open.
  browser.runtime.sendMessage(message).catch(() => {});
}
