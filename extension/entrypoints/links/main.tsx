import '../../i18n/browser-messages.ts';
import { render } from 'preact';
import { browser } from 'wxt/browser';
import { translateDocument } from '../../../shared/i18n/translate.ts';
import { copyFromPage } from '../../../shared/ui/copy-text.ts';
import { createLinksState } from '../../../shared/ui/links/state/links-state.ts';
import { saveFile } from '../../../shared/ui/save-file.ts';
import { formatCopy } from '../../links/copy-format.ts';
import type { ListedLink } from '../../links/link.ts';
import { readSearch } from '../../links/open-links-page.ts';
import {
  IMPORT_PROGRESS,
  type ImportProgress,
  LINKS_CHANGED,
  type LinksChanged,
  send,
} from '../../messaging/protocol.ts';
import { createFilesState } from '../../pages/links/files/files-state.ts';
import { LinksPage } from '../../pages/links/LinksPage.tsx';
import { createMessageLinkSource } from '../../pages/links/message-link-source.ts';
import { statisticsUrl } from '../../pages/statistics/shown-statistics.ts';

/** Reading an account with thousands of links takes seconds. */
const SYNC_AGAIN_AFTER_MS = 30_000;

translateDocument('links_title');
const source = createMessageLinkSource(send);
const files = createFilesState({
  send,
  saveFile,
  now: () => new Date(),
  reload: async () => void (await source.load()),
});
const state = createLinksState(
  {
    source,
    copy: (link) => copyFromPage(formatCopy(link, source.list.value.copyFormat)),
    async exportLinks(links, format) {
      await files.exportLinks(links as ListedLink[], format);
      return undefined;
    },
    nowMs: Date.now,
    statisticsUrl: (link) => statisticsUrl(link as ListedLink),
    emptyHint: 'links_empty_hint',
  },
  { initialQuery: readSearch(location.hash) },
);
let syncedAtMs = 0;
async function sync(): Promise<void> {
  syncedAtMs = Date.now();
  await source.sync();
}

browser.runtime.onMessage.addListener((message: LinksChanged | ImportProgress | undefined) => {
  if (message?.kind === LINKS_CHANGED) source.applyChanges(message);
  if (message?.kind === IMPORT_PROGRESS) files.showProgress(message);
  return undefined;
});
// The address bar can send a search to an open page. The settings may have changed meanwhile.
addEventListener('hashchange', () => state.filter({ words: readSearch(location.hash) }));
addEventListener('focus', () => {
  void source.load();
  if (Date.now() - syncedAtMs > SYNC_AGAIN_AFTER_MS) void sync();
});

await state.start();
void sync();
render(
  <LinksPage state={state} files={files} source={source} />,
  document.getElementById('app') as HTMLElement,
);
