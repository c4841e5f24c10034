import { setImmediate as nextTurn } from 'node:timers/promises';
import { isGone } from '../decide/edit-link.ts';
import { purgeLink } from '../decide/purge-link.ts';
import type { Link } from '../link.ts';
import { Maintenance } from '../maintenance.ts';
import type { Changes } from './changes.ts';
import type { Data } from './data/data.ts';
import type { JournalAdapter } from './journal/journal-adapter.ts';
import type { Lists } from './lists.ts';

/** Purges that share a write. */
const PURGED_TOGETHER = 500;

type Dependencies = {
  data: Data;
  changes: Changes;
  lists: Lists;
  adapter: JournalAdapter;
  /** Milliseconds since the epoch. */
  clock: () => number;
};

/** Erases in the background: deleted accounts from memory, and what was deleted long ago from the disk. */
export class Erasure {
  readonly #dependencies: Dependencies;
  readonly #maintenance: Maintenance;
  #erasing: Promise<void> | undefined;
  #isClosed = false;

  constructor(dependencies: Dependencies, everyMs: number, onError: (error: unknown) => void) {
    this.#dependencies = dependencies;
    this.eraseLinks();
    this.#maintenance = new Maintenance(() => this.#maintain(), everyMs, onError);
  }

  /** Removes links of deleted accounts from memory, a few at a time. They are invisible before. */
  eraseLinks(): void {
    const { data } = this.#dependencies;
    const erase = async () => {
      do await nextTurn();
      while (!this.#isClosed && data.eraseSomeLinks());
      this.#erasing = undefined;
    };
    this.#erasing ??= erase();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#maintenance.close();
    await this.#erasing;
  }

  async #maintain(): Promise<void> {
    const { changes, adapter } = this.#dependencies;
    await this.#purgeOutdated();
    // A snapshot starts with a write.
    if (!this.#isClosed && adapter.isErasureDue()) await changes.writeNothing();
    await adapter.removeErased();
  }

  /** Purges the links that were deleted too long ago to be restored, except blocked ones. */
  async #purgeOutdated(): Promise<void> {
    const { changes, lists, clock } = this.#dependencies;
    const now = clock();
    const mayPurge = (link: Link) => isGone(link, now);
    const links = await lists.find(mayPurge);
    for (let start = 0; start < links.length && !this.#isClosed; start += PURGED_TOGETHER) {
      const part = links.slice(start, start + PURGED_TOGETHER);
      await Promise.all(
        part.map(({ id: linkId, accountId }) =>
          changes.make(purgeLink({ linkId, accountId, by: { kind: 'administrator' } }, mayPurge)),
        ),
      );
    }
  }
}
