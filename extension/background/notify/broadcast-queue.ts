import { browser } from 'wxt/browser';
import {
  QUEUE_CHANGED,
  REQUEST_SETTLED,
  type RequestSettled,
  type ShortenResult,
} from '../../messaging/protocol.ts';
import { type PendingRequest, pendingRequests } from '../../storage/items.ts';

/** The same in both areas. */
const [, KEY = ''] = pendingRequests.key.split(':');

/** Tells the pages that are open that what waits is another. */
export function broadcastQueue(): void {
  browser.storage.onChanged.addListener((changes) => {
    const change = changes[KEY];
    if (change && queuedState(change.oldValue) !== queuedState(change.newValue)) {
      broadcast({ kind: QUEUE_CHANGED });
    }
  });
}

/** Tells a popup that shows a wish as waiting how it has ended. */
export function broadcastSettled(id: string, answer: ShortenResult): void {
  broadcast({ kind: REQUEST_SETTLED, id, answer });
}

function broadcast(message: { kind: typeof QUEUE_CHANGED } | RequestSettled): void {
  // It fails where no page is open, and then there is nobody to tell.
  browser.runtime.sendMessage(message).catch(() => {});
}

/** What of it pages show: most wishes are settled before they ever wait. */
function queuedState(requests: unknown): string {
  const entries = Object.entries((requests ?? {}) as Record<string, PendingRequest>);
  return JSON.stringify(entries.flatMap(([id, one]) => (one.failure ? [id, one.retryAtMs] : [])));
}
