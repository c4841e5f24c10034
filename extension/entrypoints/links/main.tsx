import '../../i18n/browser-messages.ts';
import { render } from 'preact';
import { browser } from 'wxt/browser';
import { translateDocument } from '../../../shared/i18n/translate.ts';
import { copyFromPage } from '../../../shared/ui/copy-text.js';
import { ErrorBoundary } from '../../../shared/ui/ErrorBoundary.tsx';
import { keepTranslatedTexts } from '../../../shared/ui/keep-translated-texts.ts';
import { lazy } from '../../../shared/ui/lazy.ts';
import { focusNewLink } from '../../../shared/ui/links/NewLinkBar.tsx';
import { createLinksState } from '../../../shared/ui/links/state/links-state.ts';
import type { CreateOutcome } from '../../../shared/ui/links/state/new-link.ts';
import { PaletteKey } from '../../../shared/ui/palette/PaletteKey.tsx';
import { saveFile } from '../../../shared/ui/save-file.ts';
import { showDirectionMarks } from '../../../shared/ui/show-direction-marks.ts';
import { formatCopy } from '../../links/copy-format.ts';
import type { ListedLink } from '../../links/link.ts';
import { readSearch } from '../../links/open-links-page.ts';
import { LINKS_CHANGED, send } from '../../messaging/protocol.ts';
import { reloadForAccount } from '../../messaging/reload-for-account.ts';
import { shortenText } from '../../messaging/shorten-text.ts';
import { createFilesState } from '../../pages/links/files/files-state.ts';
import { LinksPage } from '../../pages/links/LinksPage.tsx';
import { createMessageLinkSource } from '../../pages/links/message-link-source.ts';
import { failureText } from '../../pages/links/source-texts.ts';
import { statisticsUrl } from '../../pages/statistics/shown-statistics.ts';

const LinksPalette = lazy(
  async () => (await import('../../pages/links/LinksPalette.tsx')).LinksPalette,
);

keepTranslatedTexts(document.body);
showDirectionMarks();
translateDocument('links_title');
const parameters = new URLSearchParams(location.search);
const named = parameters.get('server');
const [settings, listed] = await Promise.all([send('readSettings', {}), send('listAccounts', {})]);
const accounts = listed.ok ? listed.data.filter(({ hasToken }) => hasToken) : [];
const serverOrigin = named ?? (settings.ok ? settings.data.serverOrigin : '');
const files = createFilesState({
  send,
  serverOrigin,
  saveFile,
  now: () => new Date(),
  reload: () => state.loading.refresh(),
});
const isInUse = settings.ok && settings.data.serverOrigin === serverOrigin;

async function createNew(text: string): Promise<CreateOutcome> {
  const now = await send('readSettings', {});
  if (now.ok && now.data.serverOrigin !== serverOrigin) {
    // The URL must not be sent to another server than the one that is shown.
    location.reload();
    return new Promise(() => {});
  }
  const result = now.ok ? await shortenText(send, text, false) : now;
  if (!result.ok) return { ok: false, code: result.code, text: failureText(result, serverOrigin) };
  const { data, isExisting = false } = result;
  const link: ListedLink = { ...data, serverOrigin, requestedUrl: text };
  return { ok: true, data: link, isExisting };
}

const state = createLinksState(
  {
    source: createMessageLinkSource({
      send,
      serverOrigin,
      subscribe(onChange) {
        const onMessage = (message: { kind?: unknown } | undefined) => {
          if (message?.kind === LINKS_CHANGED) onChange();
          return undefined;
        };
        browser.runtime.onMessage.addListener(onMessage);
        addEventListener('focus', onChange);
        return () => {
          browser.runtime.onMessage.removeListener(onMessage);
          removeEventListener('focus', onChange);
        };
      },
    }),
    async copy(link) {
      // They may have changed since the page was opened.
      const now = await send('readSettings', {});
      return copyFromPage(formatCopy(link, now.ok ? now.data.copyFormat : 'url'));
    },
    exportLinks: files.exportLinks,
    // New links are made on the server that is in use.
    newLink: isInUse ? { create: createNew } : undefined,
    nowMs: Date.now,
    statisticsUrl: (link) => statisticsUrl(link as ListedLink),
    emptyHint: 'links_empty_hint',
  },
  {
    initialQuery: readSearch(location.hash),
    editedAlias: parameters.get('edit') ?? undefined,
  },
);

reloadForAccount(serverOrigin);

// The address bar can send a search to an open page.
addEventListener('hashchange', () => state.filter({ words: readSearch(location.hash) }));

await state.start();
render(
  <ErrorBoundary>
    <LinksPage state={state} files={files} serverOrigin={serverOrigin} accounts={accounts} />
    <PaletteKey
      palette={(onClose) => (
        <LinksPalette send={send} serverOrigin={serverOrigin} onClose={onClose} />
      )}
    />
  </ErrorBoundary>,
  document.getElementById('app') as HTMLElement,
);
if (parameters.has('new')) focusNewLink();
