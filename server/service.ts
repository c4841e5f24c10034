import type { Settings } from './config.ts';
import type { Passwords } from './passwords.ts';
import type { ShortDomain } from './short-domain.ts';
import type { Store } from './store/store.ts';

/** What routes are given: all that they need of the world, so that a test can bring its own. */
export type Service = {
  settings: Settings;
  store: Store;
  /** Milliseconds since the epoch. */
  clock: () => number;
  /** Cryptographically random bytes. */
  randomBytes: (size: number) => Buffer;
  /** What short URLs begin with. A function, since `PORT=0` is known once listening. */
  shortDomain: () => ShortDomain;
  /** Signs go-links and keys the HMACs. */
  secret: Buffer;
  passwords: Passwords;
};
