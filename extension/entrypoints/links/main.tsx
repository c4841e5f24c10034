import '../../i18n/browser-messages.ts';
import { browser } from 'wxt/browser';
import { formatCopy } from '../../../shared/links/copy-format.ts';
import type { ShortenRequest } from '../../../shared/links/shorten-request.ts';
import { createAddress, EDITED_ALIAS } from '../../../shared/ui/address.ts';
import { copyFromPage } from '../../../shared/ui/copy-text.js';
import { lazy } from '../../../shared/ui/lazy.ts';
import { focusNewLink } from '../../../shared/ui/links/in-sight.ts';
import { keepInAddress, keepPlace } from '../../../shared/ui/links/keep-address.ts';
import { onReturn, readListQuery, readPlace } from '../../../shared/ui/links/list-address.ts';
import { createLinksState } from '../../../shared/ui/links/state/links-state.ts';
import type { Created } from '../../../shared/ui/links/state/new-link.ts';
import { PaletteKey } from '../../../shared/ui/palette/PaletteKey.tsx';
import { saveFile } from '../../../shared/ui/save-file.ts';
import type { SavedLink } from '../../links/link.ts';
import type { CreatedLink, Result } from '../../messaging/protocol.ts';
import { onBroadcast, send } from '../../messaging/send.ts';
import { shortenText } from '../../messaging/shorten-text.ts';
import { createFilesState } from '../../pages/links/files-state.ts';
import { LinksPage } from '../../pages/links/LinksPage.tsx';
import { createMessageLinkSource, failureText } from '../../pages/links/message-sources.ts';
import { reloadForAccount, statisticsUrl } from '../../ui/server/account-pages.tsx';
import { startPage } from '../../ui/start-page.tsx';

const LinksPalette = lazy(
  async () => (await import('../../pages/links/LinksPalette.tsx')).LinksPalette,
);

const show = startPage('links_title');
const parameters = new URLSearchParams(location.search);
const named = parameters.get('server');
const [settings, listed] = await Promise.all([send('readSettings', {}), send('listServers', {})]);
const servers = listed.ok ? listed.data.filter(({ hasToken }) => hasToken) : [];
const serverOrigin = named ?? (settings.ok ? settings.data.serverOrigin : '');
const source = createMessageLinkSource({
  send,
  serverOrigin,
  subscribe(onChange) {
    const stops = [onBroadcast('linkCreated', onChange), onReturn(onChange)];
    return () => {
      for (const stop of stops) stop();
    };
  },
});
const files = createFilesState({
  send,
  serverOrigin,
  changeAll: source.changeAll,
  saveFile,
  now: () => new Date(),
  reload: () => state.loading.refresh(),
});
const isInUse = settings.ok && settings.data.serverOrigin === serverOrigin;

async function createNew(text: string): Promise<Created> {
  const now = await send('readSettings', {});
  if (now.ok && now.data.serverOrigin !== serverOrigin) {
    // The URL must not be sent to another server than the one that is shown.
    location.reload();
    return new Promise(() => {});
  }
  return toCreated(text, now.ok ? await shortenText(send, text, false) : now);
}

async function duplicate(request: ShortenRequest): Promise<Created> {
  const result = await send('createLink', {
    request,
    isPrivate: false,
    pageTitle: '',
    reuseExisting: false,
    requestId: crypto.randomUUID(),
  });
  return toCreated(request.originalUrl, result);
}

function toCreated(requestedUrl: string, result: Result<CreatedLink>): Created {
  if (!result.ok) return { ...result, text: failureText(result, serverOrigin) };
  const { notSaved: _, ...link } = result.data;
  const listed: SavedLink = { ...link, serverOrigin, requestedUrl };
  return { ok: true, data: listed };
}

const state = createLinksState(
  {
    source,
    async copy(link, format) {
      // They may have changed since the page was opened.
      const now = await send('readSettings', {});
      const own = now.ok ? now.data.copyFormat : 'url';
      return copyFromPage(formatCopy(link, format ?? own));
    },
    exportLinks: files.exportLinks,
    // New links are made on the server that is in use.
    newLink: isInUse ? { create: createNew, duplicate } : undefined,
    statisticsUrl: (link) => statisticsUrl(link as SavedLink),
    // Also in every window of a Firefox that remembers no history.
    emptyHint: browser.extension?.inIncognitoContext ? 'links_empty_private' : 'links_empty_hint',
  },
  {
    query: readListQuery(parameters),
    editedAlias: parameters.get(EDITED_ALIAS) ?? undefined,
    place: readPlace(),
  },
);

reloadForAccount(serverOrigin);

keepInAddress(state, createAddress());
keepPlace(state);

await state.start();
show(
  <>
    <LinksPage state={state} files={files} serverOrigin={serverOrigin} servers={servers} />
    <PaletteKey
      palette={(onClose) => (
        <LinksPalette
          send={send}
          serverOrigin={serverOrigin}
          create={isInUse ? createNew : undefined}
          onClose={onClose}
        />
      )}
    />
  </>,
);
if (parameters.has('new')) focusNewLink();
