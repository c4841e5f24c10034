import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { FoldOrder } from './fold.ts';
import { readGenerations } from './generations.ts';

const WORKER = new URL('./fold-worker.ts', import.meta.url);

/**
 * Makes a new snapshot in another thread, then removes the generation before the last: until the
 * new snapshot has its name, nothing that was there is touched.
 */
export class Compaction {
  #worker: Worker | undefined;
  #isStopped = false;

  /**
   * @returns whether there is a new snapshot; false when stopped
   * @throws the disk is full, or fails
   */
  async run(order: FoldOrder): Promise<boolean> {
    this.#worker = new Worker(WORKER, { workerData: order, name: 'curt compaction' });
    try {
      const [exitCode] = await once(this.#worker, 'exit');
      // A worker that is ended before it begins exits with 0, too.
      if (exitCode !== 0 || this.#isStopped) return false;
      await removeOutdated(order.folder);
      return true;
    } finally {
      this.#worker = undefined;
    }
  }

  /** Ends one that is under way, as a crash would: what it has written goes at the next start. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#worker?.terminate();
  }
}

async function removeOutdated(folder: string): Promise<void> {
  for (const name of readGenerations(folder).outdated)
    await rm(join(folder, name), { force: true });
}
