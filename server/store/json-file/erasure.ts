import { setImmediate as nextTurn } from 'node:timers/promises';
import { RESTORABLE_MS } from '../../../shared/bounds.ts';
import type { Time } from '../../../shared/time.ts';
import { HOUR_MS } from '../../lib/time.ts';
import { isGone } from '../link.ts';
import { Maintenance } from '../maintenance.ts';
import { purgeOutdated } from '../rules/edit-link.ts';
import { certainTime, noteDay, openDays } from '../rules/uptime.ts';
import type { ChangeQueue } from './change-queue.ts';
import type { FolderData } from './data/folder-data.ts';
import type { JournalAdapter } from './journal.ts';
import type { Lists } from './lists.ts';

/** How often to purge what was deleted long ago, and to erase what was purged from the disk. */
const MAINTAIN_EVERY_MS = HOUR_MS;
/** Purges that share a write. */
const PURGED_TOGETHER = 500;
/** Expired keys that are deleted in a turn of the event loop. */
const KEYS_TOGETHER = 1000;

type Dependencies = {
  data: FolderData;
  changes: ChangeQueue;
  lists: Lists;
  adapter: JournalAdapter;
  time: Time;
};

/** Erases in the background: deleted accounts from memory, and what was deleted long ago from the disk. */
export function startErasure(
  { data, changes, lists, adapter, time }: Dependencies,
  onError: (error: unknown) => void,
) {
  let erasing: Promise<void> | undefined;
  let isClosed = false;

  /** Removes links of deleted accounts from memory, a few at a time. They are invisible before. */
  const eraseLinks = () => {
    const erase = async () => {
      do await nextTurn();
      while (!isClosed && data.eraseSomeLinks());
      erasing = undefined;
    };
    erasing ??= erase();
  };

  /** Purges the links that were deleted too long ago to be restored, except blocked ones. */
  const purgeAll = async () => {
    const now = certainTime(openDays(data), time.now(), RESTORABLE_MS);
    const links = await lists.find((link) => isGone(link, now));
    for (let start = 0; start < links.length && !isClosed; start += PURGED_TOGETHER) {
      const part = links.slice(start, start + PURGED_TOGETHER);
      await Promise.all(
        part.map(({ id: linkId, accountId }) =>
          changes.make(purgeOutdated({ linkId, accountId }, now)),
        ),
      );
    }
  };

  const maintain = async () => {
    // First: the rest writes, which fails on a full disk, and this makes space there.
    await adapter.removeErased();
    await changes.make(noteDay(time.now()));
    await purgeAll();
    while (!isClosed && data.deleteExpiredKeys(KEYS_TOGETHER)) await nextTurn();
    // A snapshot starts with a write.
    if (!isClosed && adapter.isErasureDue()) await changes.writeNothing();
    await adapter.settled();
  };

  eraseLinks();
  const maintenance = new Maintenance(maintain, MAINTAIN_EVERY_MS, onError, time);
  return {
    eraseLinks,
    close: async () => {
      isClosed = true;
      await maintenance.close();
      await erasing;
    },
  };
}
