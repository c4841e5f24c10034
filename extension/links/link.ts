/** A link as the extension's pages show it. It never contains the account's token. */
export type LinkSummary = {
  shortUrl: string;
  originalUrl: string;
  title: string;
  /** ISO 8601, UTC. */
  created: string;
  /** ISO 8601, UTC; null if the link never expires. */
  expiresAt: string | null;
  hasPassword: boolean;
  waitTimerSeconds: number;
  /** Whether the link loads a tag-manager container. */
  hasContainer?: true | undefined;
  /** Whether the link comes from a file. Anyone can write one, so it is never copied automatically. */
  isImported?: true | undefined;
};

/** A link in the list of links. */
export type ListedLink = LinkSummary & {
  /** Origin of the server that created it. */
  serverOrigin: string;
  /** The URL as it was sent to the server. */
  requestedUrl: string;
};
