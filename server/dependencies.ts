import type { Passwords } from './accounts/passwords.ts';
import type { BlockList } from './blocks/block-list.ts';
import type { Settings } from './config.ts';
import type { ShortDomain } from './lib/short-domain.ts';
import type { Traffic } from './metrics/traffic.ts';
import type { Store } from './store/store.ts';
import type { VisitRecorder } from './visits/visit-recorder.ts';

/** The dependencies of the routes. Tests can replace each of them. */
export type Service = {
  settings: Settings;
  store: Store;
  /** Milliseconds since the epoch. */
  clock: () => number;
  /** Cryptographically random bytes. */
  randomBytes: (size: number) => Buffer;
  /** The origin of short URLs. A function, because `PORT=0` gets its port only on listening. */
  shortDomain: () => ShortDomain;
  /** Signs go-links: the `SECRET` setting or, if unset, the data folder's secret. */
  secret: Buffer;
  /**
   * The key for hashes of idempotency keys and identities, and for tokens derived from them. Always the
   * data folder's secret, whatever `SECRET` says: with a different one, a retry would create a second
   * link, and a person who signs in a second account.
   */
  dataSecret: Buffer;
  passwords: Passwords;
  blocks: BlockList;
  /** Undefined if statistics are off. */
  visits: Pick<VisitRecorder, 'record'> | undefined;
  traffic: Traffic;
  /** What was wrong with the settings or the data at the start. */
  warnings: readonly string[];
};
