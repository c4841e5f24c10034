import { browser } from 'wxt/browser';
import {
  QUEUE_CHANGED,
  REQUEST_SETTLED,
  type RequestSettled,
  type ShortenResult,
} from '../../messaging/protocol.ts';
import { type PendingRequest, pendingRequests } from '../../storage/items.ts';

/** The same key in both storage areas. */
const [, KEY = ''] = pendingRequests.key.split(':');

/** Notifies all open pages when the queue changes. */
export function broadcastQueue(): void {
  browser.storage.onChanged.addListener((changes) => {
    const change = changes[KEY];
    if (change && queuedState(change.oldValue) !== queuedState(change.newValue)) {
      broadcast({ kind: QUEUE_CHANGED });
    }
  });
}

/** Sends the result of a queued request to all open pages. */
export function broadcastSettled(id: string, answer: ShortenResult): void {
  broadcast({ kind: REQUEST_SETTLED, id, answer });
}

function broadcast(message: { kind: typeof QUEUE_CHANGED } | RequestSettled): void {
  // Rejects if no page is open.
  browser.runtime.sendMessage(message).catch(() => {});
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
