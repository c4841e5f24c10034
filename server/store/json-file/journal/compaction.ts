import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { readGenerations } from '../files/generations.ts';
import type { CompactionTask } from './compact.ts';

const WORKER = new URL('./compact-worker.ts', import.meta.url);

/**
 * Creates a new snapshot in a worker thread, then removes the generation before the previous one.
 * Existing files are not touched until the new snapshot has its final name.
 */
export class Compaction {
  #worker: Worker | undefined;
  #isStopped = false;

  /**
   * @returns whether there is a new snapshot; false if it was stopped
   * @throws if the disk is full or fails
   */
  async run(task: CompactionTask): Promise<boolean> {
    this.#worker = new Worker(WORKER, { workerData: task, name: 'curt compaction' });
    try {
      const [exitCode] = await once(this.#worker, 'exit');
      // A worker that is terminated before it starts also exits with 0.
      if (exitCode !== 0 || this.#isStopped) return false;
      await removeOutdated(task.folder);
      return true;
    } finally {
      this.#worker = undefined;
    }
  }

  /** Stops a running compaction, as a crash would: its temporary file is removed at the next start. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#worker?.terminate();
  }
}

async function removeOutdated(folder: string): Promise<void> {
  for (const name of readGenerations(folder).outdated)
    await rm(join(folder, name), { force: true });
}
