import { t } from '../../../shared/i18n/translate.ts';
import { Palette } from '../../../shared/ui/palette/Palette.tsx';
import { searchLinks } from '../../../shared/ui/palette/search-links.ts';
import type { ListedLink } from '../../links/link.ts';
import type { Send } from '../../messaging/protocol.ts';
import { serverUrl } from '../../ui/server/Servers.tsx';
import {
  LINKS_PAGE,
  NEW_LINK_PAGE,
  OPTIONS_PAGE,
  STATISTICS_PAGE,
} from '../../urls/extension-pages.ts';
import { statisticsUrl } from '../statistics/shown-statistics.ts';
import { createMessageLinkSource } from './message-link-source.ts';

export type LinksPaletteProps = {
  send: Send;
  /** Origin of the server whose account has the links. */
  serverOrigin: string;
  onClose(): void;
};

/** Finds the extension's pages and the account's links. */
export function LinksPalette({ send, serverOrigin, onClose }: LinksPaletteProps) {
  const source = createMessageLinkSource({ send, serverOrigin, subscribe: () => () => undefined });
  return (
    <Palette
      pages={[
        { label: t('links_title'), icon: 'links', href: serverUrl(LINKS_PAGE, serverOrigin) },
        { label: t('create_heading'), icon: 'add', href: NEW_LINK_PAGE },
        {
          label: t('nav_statistics'),
          icon: 'statistics',
          href: serverUrl(STATISTICS_PAGE, serverOrigin),
        },
        { label: t('settings'), icon: 'settings', href: OPTIONS_PAGE },
      ]}
      search={searchLinks(source, (link) => statisticsUrl(link as ListedLink))}
      onClose={onClose}
    />
  );
}
