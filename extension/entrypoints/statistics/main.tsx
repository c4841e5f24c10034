import '../../i18n/browser-messages.ts';
import { signal } from '@preact/signals';
import { render } from 'preact';
import { translateDocument } from '../../../shared/i18n/translate.ts';
import { aliasOf } from '../../../shared/links/shown-link.ts';
import { ErrorBoundary } from '../../../shared/ui/ErrorBoundary.tsx';
import { keepTranslatedTexts } from '../../../shared/ui/keep-translated-texts.ts';
import { lazy } from '../../../shared/ui/lazy.ts';
import { PaletteKey } from '../../../shared/ui/palette/PaletteKey.tsx';
import { showDirectionMarks } from '../../../shared/ui/show-direction-marks.ts';
import { createStatisticsState } from '../../../shared/ui/statistics/state/statistics-state.ts';
import type { ListedLink } from '../../links/link.ts';
import { send } from '../../messaging/protocol.ts';
import { reloadForAccount } from '../../messaging/reload-for-account.ts';
import { createMessageStatisticsSource } from '../../pages/statistics/message-statistics-source.ts';
import { StatisticsPage } from '../../pages/statistics/StatisticsPage.tsx';
import { readShown } from '../../pages/statistics/shown-statistics.ts';

const LinksPalette = lazy(
  async () => (await import('../../pages/links/LinksPalette.tsx')).LinksPalette,
);

const { link, serverOrigin: named } = readShown(location.search);
keepTranslatedTexts(document.body);
showDirectionMarks();
translateDocument(link ? 'link_statistics' : 'nav_statistics');
const [settings, listed] = await Promise.all([send('readSettings', {}), send('listAccounts', {})]);
const accounts = listed.ok ? listed.data.filter(({ hasToken }) => hasToken) : [];
const serverOrigin = named ?? (settings.ok ? settings.data.serverOrigin : '');
reloadForAccount(serverOrigin);
const shortUrl = link?.shortUrl;
const found = signal<ListedLink | undefined>(undefined);
if (link) {
  const query = { words: aliasOf(link), tag: '' };
  void send('readLinks', { serverOrigin, query }).then((page) => {
    if (page.ok) found.value = page.data.links.find((one) => one.shortUrl === shortUrl);
  });
}
const state = createStatisticsState({
  source: createMessageStatisticsSource(send, { serverOrigin, shortUrl }),
  name: shortUrl === undefined ? 'account' : aliasOf({ shortUrl }),
});
render(
  <ErrorBoundary>
    <StatisticsPage {...{ state, link, listed: found, serverOrigin, accounts }} />
    <PaletteKey
      palette={(onClose) => (
        <LinksPalette send={send} serverOrigin={serverOrigin} onClose={onClose} />
      )}
    />
  </ErrorBoundary>,
  document.getElementById('app') as HTMLElement,
);
