/** Visitors get 451 for a link, for all links to a host and its subdomains, or for all of an account. */
export type BlockKind = 'link' | 'host' | 'account';

export type Block = {
  kind: BlockKind;
  /** The id of a link or an account, or a host as `normalizeHost` returns it. */
  value: string;
  reason: string;
  /** Milliseconds since the epoch, UTC. */
  since: number;
};

/**
 * All blocks by kind and value. Operators make few, so that every driver has them in memory; one that
 * shares its data with other processes reads them again when `changeCount` grows.
 */
export type Blocks = Readonly<Record<BlockKind, ReadonlyMap<string, Block>>>;
