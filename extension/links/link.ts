import type { ShownLink } from '../../shared/links/shown-link.ts';

/** A link as the extension shows it. It never contains the account's token. */
export type LinkSummary = ShownLink;

/** A link in the list of links. */
export type ListedLink = LinkSummary & {
  /** Origin of the server that created it. */
  serverOrigin: string;
  /** The URL as it was sent to the server. */
  requestedUrl: string;
};
