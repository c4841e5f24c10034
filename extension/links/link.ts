import type { ShownLink } from '../../shared/links/shown-link.ts';

/** A link as the extension stores and shows it. It never contains the account's token. */
export type LinkSummary = ShownLink & {
  /**
   * The account had the link, but the one in use doesn't: it was deleted for good, or the user changed
   * the account. It may not work any more.
   */
  isUnknown?: true | undefined;
};

/** A link in the list of links. */
export type ListedLink = LinkSummary & {
  /** Origin of the server that created it. */
  serverOrigin: string;
  /** The URL as it was sent to the server. */
  requestedUrl: string;
};
