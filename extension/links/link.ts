import type { LinkRecord } from '../../shared/links/link-record.ts';

/** A link with what its server does not know. */
export type SavedLink = LinkRecord & {
  /** Origin of the server that created it. */
  serverOrigin: string;
  /** The URL as it was sent to the server. */
  requestedUrl: string;
};

/** The short link that a site declares for its own page. Nothing else is known of it. */
export type SiteLink = Pick<LinkRecord, 'shortUrl' | 'originalUrl' | 'title'> & { id?: undefined };

/** What can be copied for a page. */
export type PageLink = LinkRecord | SiteLink;
