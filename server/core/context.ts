import type { Passwords } from '../accounts/passwords.ts';
import type { Settings } from '../config.ts';
import type { Store } from '../store/store.ts';
import type { ShortDomain } from './short-domain.ts';

/** What routes are given: all that they need of the world, so that a test can bring its own. */
export type Service = {
  settings: Settings;
  store: Store;
  /** Milliseconds since the epoch. */
  clock: () => number;
  /** Milliseconds that only ever grow, from any start. Every window of a limit uses it. */
  monotonicClock: () => number;
  /** Cryptographically random bytes. */
  randomBytes: (size: number) => Buffer;
  /** What short URLs begin with. A function, since `PORT=0` is known once listening. */
  shortDomain: () => ShortDomain;
  /** Signs go-links: the `SECRET` setting, or else the data folder's. */
  secret: Buffer;
  /**
   * Keys the HMACs of idempotency keys, and makes the tokens of anonymous calls that carry one.
   * The data folder's, whatever `SECRET` says: with another, a retry would create a second link.
   */
  idempotencySecret: Buffer;
  passwords: Passwords;
};
