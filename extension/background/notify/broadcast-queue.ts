import { browser } from 'wxt/browser';
import {
  type MadeAnswer,
  WISH_SETTLED,
  WISHES_CHANGED,
  type WishSettled,
} from '../../messaging/protocol.ts';
import { type PendingWish, pendingWishes } from '../../storage/items.ts';

/** The same in both areas. */
const [, KEY = ''] = pendingWishes.key.split(':');

/** Tells the pages that are open that what waits is another. */
export function tellWishChanges(): void {
  browser.storage.onChanged.addListener((changes) => {
    const change = changes[KEY];
    if (change && waitingIn(change.oldValue) !== waitingIn(change.newValue)) {
      tellPages({ kind: WISHES_CHANGED });
    }
  });
}

/** Tells a popup that shows a wish as waiting how it has ended. */
export function tellSettled(id: string, answer: MadeAnswer): void {
  tellPages({ kind: WISH_SETTLED, id, answer });
}

function tellPages(message: { kind: typeof WISHES_CHANGED } | WishSettled): void {
  // It fails where no page is open, and then there is nobody to tell.
  browser.runtime.sendMessage(message).catch(() => {});
}

/** What of it pages show: most wishes are settled before they ever wait. */
function waitingIn(wishes: unknown): string {
  const entries = Object.entries((wishes ?? {}) as Record<string, PendingWish>);
  return JSON.stringify(entries.flatMap(([id, one]) => (one.failure ? [id, one.retryAtMs] : [])));
}
