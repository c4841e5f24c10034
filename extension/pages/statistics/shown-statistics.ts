import type { ListedLink } from '../../links/link.ts';
import { STATISTICS_PAGE } from '../../urls/extension-pages.ts';

/** What the page is about. */
export type ShownStatistics = {
  /** The server of the account. Undefined if the address doesn't name one. */
  serverOrigin: string | undefined;
  /** The link whose statistics are shown. Undefined for those of the whole account. */
  link: Pick<ListedLink, 'shortUrl' | 'title'> | undefined;
};

/** The address of the page with the visits of a link. */
export function statisticsUrl({
  serverOrigin,
  shortUrl,
  title,
}: Pick<ListedLink, 'serverOrigin' | 'shortUrl' | 'title'>): string {
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
