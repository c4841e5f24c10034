import { t } from '../../../shared/i18n/translate.ts';
import type { SavedLink } from '../../links/link.ts';
import type { ServerTokens } from '../../messaging/protocol.ts';
import { onBroadcast } from '../../messaging/send.ts';
import { STATISTICS_PAGE } from '../../urls/extension-pages.ts';

type ServersProps = {
  /** Path of the page that shows one of them. */
  page: string;
  /** Those with a token in use. */
  servers: ServerTokens[];
  /** Origin of the one that is shown. */
  shown: string;
};

/** Switches between the accounts of several servers. */
export function Servers({ page, servers, shown }: ServersProps) {
  if (servers.length < 2) return null;
  return (
    <nav class="servers" aria-label={t('server_heading')}>
      {servers.map(({ origin }) => (
        <a
          key={origin}
          class="button"
          href={serverUrl(page, origin)}
          aria-current={origin === shown ? 'page' : undefined}
        >
          {new URL(origin).host}
        </a>
      ))}
    </nav>
  );
}

/** Returns the address of a page about an account. */
export function serverUrl(page: string, origin: string): string {
  return `${page}?${new URLSearchParams({ server: origin })}`;
}

/** What the page is about. */
export type ShownStatistics = {
  /** The server of the account. Undefined if the address doesn't name one. */
  serverOrigin: string | undefined;
  /** The link whose statistics are shown. Undefined for those of the whole account. */
  link: Pick<SavedLink, 'shortUrl' | 'title'> | undefined;
};

/** Returns the address of the page with the visits of a link. */
export function statisticsUrl({
  serverOrigin,
  shortUrl,
  title,
}: Pick<SavedLink, 'serverOrigin' | 'shortUrl' | 'title'>): string {
  return `${STATISTICS_PAGE}?${new URLSearchParams({ server: serverOrigin, link: shortUrl, title })}`;
}

/** @param search of the page's address */
export function readShown(search: string): ShownStatistics {
  const parameters = new URLSearchParams(search);
  const shortUrl = parameters.get('link');
  return {
    serverOrigin: parameters.get('server') ?? undefined,
    link: shortUrl ? { shortUrl, title: parameters.get('title') ?? '' } : undefined,
  };
}

/**
 * Reloads the page when another account of its server is in use: what is under way in it, such as a change of
 * all links, must not go on with that one.
 */
export function reloadForAccount(serverOrigin: string): void {
  onBroadcast('accountChanged', ({ serverOrigin: changed = serverOrigin }) => {
    if (changed === serverOrigin) location.reload();
  });
}
