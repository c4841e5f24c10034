import { render } from 'preact';
import { browser } from 'wxt/browser';
import { translateDocument } from '../../i18n.ts';
import { createFilesState } from '../../links/files-state.ts';
import { LinksPage } from '../../links/LinksPage.tsx';
import { createLinksState } from '../../links/links-state.ts';
import { readSearch } from '../../links-page.ts';
import { LINKS_CHANGED, send } from '../../messages.ts';
import { copyFromPage } from '../../page-clipboard.ts';
import { saveFile } from '../../save-file.ts';

translateDocument('links_title');
const state = createLinksState(
  { send, copy: copyFromPage, nowMs: Date.now },
  { words: readSearch(location.hash) },
);
const files = createFilesState({ send, saveFile, now: () => new Date() });
browser.runtime.onMessage.addListener((message: { kind?: unknown } | undefined) => {
  if (message?.kind === LINKS_CHANGED) void state.load();
  return undefined;
});
// A search of the address bar comes to a page that is open already; the settings may have changed.
addEventListener('hashchange', () => state.search(readSearch(location.hash)));
addEventListener('focus', () => void state.load());

await state.load();
render(<LinksPage state={state} files={files} />, document.getElementById('app') as HTMLElement);
