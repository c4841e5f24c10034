import { t } from '../../../shared/i18n/translate.ts';
import { addressOf } from '../../../shared/links/link-address.ts';
import { copyFromPage } from '../../../shared/ui/copy-text.js';
import { Palette, type PaletteTools } from '../../../shared/ui/palette/Palette.tsx';
import type { SavedLink } from '../../links/link.ts';
import type { Send } from '../../messaging/send.ts';
import { serverUrl, statisticsUrl } from '../../ui/server/account-pages.tsx';
import {
  LINKS_PAGE,
  NEW_LINK_PAGE,
  OPTIONS_PAGE,
  STATISTICS_PAGE,
} from '../../urls/extension-pages.ts';
import { createMessageLinkSource } from './message-sources.ts';

export type LinksPaletteProps = {
  send: Send;
  /** Origin of the server whose account has the links. */
  serverOrigin: string;
  /** Absent if no link can be created here. */
  create?: PaletteTools['create'];
  onClose(): void;
};

/** Finds the extension's pages and the account's links. */
export function LinksPalette({ send, serverOrigin, create, onClose }: LinksPaletteProps) {
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
      tools={{
        source,
        statisticsUrl: (link) => statisticsUrl(link as SavedLink),
        editUrl: (link) =>
          `${serverUrl(LINKS_PAGE, serverOrigin)}&${new URLSearchParams({ edit: addressOf(link) })}`,
        copy: ({ shortUrl }) => copyFromPage(shortUrl),
        create,
      }}
      onClose={onClose}
    />
  );
}
