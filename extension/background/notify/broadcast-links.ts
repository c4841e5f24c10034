import { browser } from 'wxt/browser';
import { parseListName } from '../../links/list-name.ts';
import {
  IMPORT_PROGRESS,
  type ImportProgress,
  LINKS_CHANGED,
  type LinksChanged,
} from '../../messaging/protocol.ts';
import { droppedLinksCount, savedLinks } from '../../storage/items.ts';
import { toListed } from '../links/link-list.ts';

const [AREA] = savedLinks.key.split(':');
const [, DROPPED_COUNT = ''] = droppedLinksCount.key.split(':');

/** Sends changes of the list to all open pages, so that they need not read all of it again. */
export function broadcastLinks(): void {
  browser.storage.onChanged.addListener((changes, area) => {
    if (area !== AREA) return;
    const lists = [...savedLinks.readChanges(changes)].map(([name, links]) => ({
      ...parseListName(name),
      links: toListed(name, links),
    }));
    const droppedCount = changes[DROPPED_COUNT]?.newValue;
    if (lists.length === 0 && typeof droppedCount !== 'number') return;
    broadcast({
      kind: LINKS_CHANGED,
      lists,
      ...(typeof droppedCount === 'number' && { droppedCount }),
    });
  });
}

export function broadcastImportProgress(done: number, total: number): void {
  broadcast({ kind: IMPORT_PROGRESS, done, total });
}

function broadcast(message: LinksChanged | ImportProgress): void {
  // Rejects if no page is open.
  browser.runtime.sendMessage(message).catch(() => {});
}
