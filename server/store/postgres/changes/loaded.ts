import type { ChangeFeed } from './change-feed.ts';
import type { Change } from './change-notice.ts';

/** What is in memory as a whole, and read again when a server changes it. */
export class Loaded<T> {
  readonly #read: () => Promise<T>;
  #loading: Promise<void> = Promise.resolve();
  /** The load that begins after the one under way. */
  #next: Promise<void> | undefined;
  current: T;

  /** @param isChangedBy whether it must be read again */
  constructor(
    feed: ChangeFeed,
    empty: T,
    isChangedBy: (change: Change) => boolean | undefined,
    read: () => Promise<T>,
  ) {
    this.current = empty;
    this.#read = read;
    feed.listen((notice) => (notice === 'all' || isChangedBy(notice) ? this.load() : undefined));
  }

  /** One time after the other: what was committed before the call is in effect then. */
  load(): Promise<void> {
    const load = async () => {
      this.#next = undefined;
      this.current = await this.#read();
    };
    this.#next ??= this.#loading = this.#loading.then(load, load);
    return this.#next;
  }
}
