import type { StoreRecord } from '../records.ts';
import type { View } from './view.ts';

/** What follows from a change: its outcome, and the records to write, all or none. */
export type Decision<T> = { outcome: T; records: StoreRecord[] };

/** A change of a store. Every driver looks up what it needs, decides, and writes the records. */
export type Change<T> = {
  /** For a driver that does not have everything in memory. */
  needs: () => Needs;
  /** A pure function of the view: it reads no clock and no store. It may be called again. */
  decide: (view: View) => Decision<T>;
};

/** What a decision asks the view for. */
export type Needs = {
  /** Locked until the change is committed, and with them their links and aliases. */
  accounts?: readonly string[];
  /** Whether an account that does not exist yet gets a row, such as for its first link. @default false */
  addsAccounts?: boolean;
  /** Also their tokens. @default false */
  withTokens?: boolean;
  identities?: readonly string[];
  links?: readonly string[];
  /** Links that are visited: locked, since their hits are counted at any time. */
  visitedLinks?: readonly string[];
  /** In lower case. */
  aliases?: readonly string[];
  /** Of imported links, in the accounts. */
  importKeys?: readonly string[];
  /** Hashes of idempotency keys. */
  keys?: readonly string[];
  /** See `blockKey`. */
  blocks?: readonly string[];
  /** Hosts. No other server changes any domain until the change is committed. */
  domains?: readonly string[];
  /** Hosts whose domains stay as they are until the change is committed. */
  usedDomains?: readonly string[];
  /** Names of limits of a day. No other server counts until the change is committed. */
  days?: readonly string[];
  /** Ids of links whose reports are read. */
  reports?: readonly string[];
};

/** Nothing is written. */
export function unchanged<T>(outcome: T): Decision<T> {
  return { outcome, records: [] };
}
