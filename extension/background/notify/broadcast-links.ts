import { browser } from 'wxt/browser';
import { LINKS_CHANGED } from '../../messaging/protocol.ts';
import { keptLinks } from '../../storage/items.ts';

const [AREA, PREFIX] = keptLinks.key.split(':');

/** Tells the pages that are open that they show an old list. */
export function tellLinkChanges(): void {
  browser.storage.onChanged.addListener((changes, area) => {
    if (area !== AREA || !Object.keys(changes).some((key) => key.startsWith(`${PREFIX}:`))) return;
    // It fails where no page is open, and then there is nobody to tell.
    browser.runtime.sendMessage({ kind: LINKS_CHANGED }).catch(() => {});
  });
}
