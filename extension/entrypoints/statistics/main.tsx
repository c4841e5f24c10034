import '../../i18n/browser-messages.ts';
import { signal } from '@preact/signals';
import { aliasOf } from '../../../shared/links/link-address.ts';
import { createAddress } from '../../../shared/ui/address.ts';
import { lazy } from '../../../shared/ui/lazy.ts';
import { PaletteKey } from '../../../shared/ui/palette/PaletteKey.tsx';
import { createStatisticsState } from '../../../shared/ui/statistics/state/statistics-state.ts';
import type { SavedLink } from '../../links/link.ts';
import { send } from '../../messaging/send.ts';
import { createMessageStatisticsSource, failureText } from '../../pages/links/message-sources.ts';
import { StatisticsPage } from '../../pages/statistics/StatisticsPage.tsx';
import { readShown, reloadForAccount } from '../../ui/server/account-pages.tsx';
import { startPage } from '../../ui/start-page.tsx';

const LinksPalette = lazy(
  async () => (await import('../../pages/links/LinksPalette.tsx')).LinksPalette,
);

const { link, serverOrigin: named } = readShown(location.search);
const show = startPage(link ? 'link_statistics' : 'nav_statistics');
const [settings, listed] = await Promise.all([send('readSettings', {}), send('listServers', {})]);
const servers = listed.ok ? listed.data.filter(({ hasToken }) => hasToken) : [];
const serverOrigin = named ?? (settings.ok ? settings.data.serverOrigin : '');
reloadForAccount(serverOrigin);
const shortUrl = link?.shortUrl;
const found = signal<SavedLink | undefined>(undefined);
if (link) {
  const query = { q: aliasOf(link) };
  void send('readLinks', { serverOrigin, query }).then((page) => {
    if (page.ok) found.value = page.data.links.find((one) => one.shortUrl === shortUrl);
  });
}
async function share(publicStats: boolean): Promise<string | undefined> {
  if (shortUrl === undefined) return undefined;
  const link = { serverOrigin, shortUrl };
  const shared = await send('editLink', { link, body: { publicStats } });
  if (!shared.ok) return failureText(shared, serverOrigin);
  found.value = shared.data;
  return undefined;
}
const state = createStatisticsState({
  source: createMessageStatisticsSource(send, { serverOrigin, shortUrl }),
  name: shortUrl === undefined ? 'account' : aliasOf({ shortUrl }),
  address: createAddress(),
});
show(
  <>
    <StatisticsPage {...{ state, link, listed: found, share, serverOrigin, servers }} />
    <PaletteKey
      palette={(onClose) => (
        <LinksPalette send={send} serverOrigin={serverOrigin} onClose={onClose} />
      )}
    />
  </>,
);
