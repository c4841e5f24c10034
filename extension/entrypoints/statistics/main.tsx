import '../../i18n/browser-messages.ts';
import { render } from 'preact';
import { translateDocument } from '../../../shared/i18n/translate.ts';
import { aliasOf } from '../../../shared/links/shown-link.ts';
import { lazy } from '../../../shared/ui/lazy.ts';
import { PaletteKey } from '../../../shared/ui/palette/PaletteKey.tsx';
import { createStatisticsState } from '../../../shared/ui/statistics/state/statistics-state.ts';
import { send } from '../../messaging/protocol.ts';
import { createMessageStatisticsSource } from '../../pages/statistics/message-statistics-source.ts';
import { StatisticsPage } from '../../pages/statistics/StatisticsPage.tsx';
import { readShown } from '../../pages/statistics/shown-statistics.ts';

const LinksPalette = lazy(
  async () => (await import('../../pages/links/LinksPalette.tsx')).LinksPalette,
);

const { link, serverOrigin: named } = readShown(location.search);
translateDocument(link ? 'link_statistics' : 'nav_statistics');
const [settings, listed] = await Promise.all([send('readSettings', {}), send('listAccounts', {})]);
const accounts = listed.ok ? listed.data.filter(({ hasToken }) => hasToken) : [];
const serverOrigin = named ?? (settings.ok ? settings.data.serverOrigin : '');
const shortUrl = link?.shortUrl;
const state = createStatisticsState({
  source: createMessageStatisticsSource(send, { serverOrigin, shortUrl }),
  name: shortUrl === undefined ? 'account' : aliasOf({ shortUrl }),
});
render(
  <>
    <StatisticsPage state={state} link={link} serverOrigin={serverOrigin} accounts={accounts} />
    <PaletteKey
      palette={(onClose) => (
        <LinksPalette send={send} serverOrigin={serverOrigin} onClose={onClose} />
      )}
    />
  </>,
  document.getElementById('app') as HTMLElement,
);
