import '../../i18n/browser-messages.ts';
import { render } from 'preact';
import { browser } from 'wxt/browser';
import { translateDocument } from '../../../shared/i18n/translate.ts';
import { copyFromPage } from '../../../shared/ui/copy-text.ts';
import { saveFile } from '../../../shared/ui/save-file.ts';
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
import { createLinksState } from '../../pages/links/links-state.ts';

translateDocument('links_title');
const state = createLinksState(
  { send, copy: copyFromPage, nowMs: Date.now },
  { initialQuery: readSearch(location.hash) },
);
const files = createFilesState({
  send,
  saveFile,
  now: () => new Date(),
  reload: state.load,
});
browser.runtime.onMessage.addListener((message: LinksChanged | ImportProgress | undefined) => {
  if (message?.kind === LINKS_CHANGED) state.applyChanges(message);
  if (message?.kind === IMPORT_PROGRESS) files.showProgress(message);
  return undefined;
});
// The address bar can send a search to an open page. The settings may have changed meanwhile.
addEventListener('hashchange', () => state.search(readSearch(location.hash)));
addEventListener('focus', () => void state.load());

await state.load();
render(<LinksPage state={state} files={files} />, document.getElementById('app') as HTMLElement);
