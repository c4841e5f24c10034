import { statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Adapter } from 'lowdb';
import { Compaction } from './compaction.ts';
import type { OpenFile } from './durable-file.ts';
import { readGenerations, snapshotPath } from './generations.ts';
import { Journal } from './journal.ts';
import { type JournalExtent, loadFolder } from './load-folder.ts';
import { type Change, State } from './state.ts';

/** A failed compaction is tried again after this long: a full disk stays full for a while. */
const COMPACTION_RETRY_MS = 60_000;

export type JournalAdapterOptions = {
  folder: string;
  /** Milliseconds since the epoch. */
  clock: () => number;
  /** Told of a compaction that failed. Nothing is lost by it. */
  onError: (error: unknown) => void;
  /** Told of what was put aside on opening, in a sentence. */
  onWarning: (message: string) => void;
  /** No compaction saves less than this. */
  compactAtBytes: number;
  openFile: OpenFile;
};

/**
 * lowdb's adapter for a folder of journals and snapshots. Where lowdb's own writes all of the data
 * at each write, this one writes what has changed: its cost is the same at any size.
 *
 * A journal of new links is as good as a snapshot; what a snapshot saves is what edited links were,
 * sums of hits, idempotency keys whose time is over, and the like. One is made when that waste is
 * half of what is on disk, so that for each byte that became waste at most one is written again.
 */
export class JournalAdapter implements Adapter<State> {
  readonly #options: JournalAdapterOptions;
  readonly #compaction = new Compaction();
  #journal: Journal | undefined;
  #snapshot: number | undefined;
  /** Journals that the next snapshot takes in, the one that is being written left out. */
  #sealed: JournalExtent[] = [];
  #totalBytes = 0;
  #wasteBytes = 0;
  #compacting: Promise<void> | undefined;
  #noCompactionBefore = Number.NEGATIVE_INFINITY;

  constructor(options: JournalAdapterOptions) {
    this.#options = options;
  }

  /** @throws StoreOpenError the folder holds what cannot be read; nothing was changed */
  async read(): Promise<State> {
    const { folder, clock, onWarning, openFile } = this.#options;
    const { outdated, unfinished } = readGenerations(folder);
    const state = new State(clock());
    const loaded = loadFolder(folder, state, onWarning);
    for (const name of [...outdated, ...unfinished]) await rm(join(folder, name), { force: true });
    this.#snapshot = loaded.snapshot;
    this.#sealed = loaded.journals.slice(0, -1);
    this.#totalBytes = loaded.totalBytes;
    this.#wasteBytes = loaded.wasteBytes;
    const { journals, isOutdated } = loaded;
    this.#journal = await Journal.open(folder, journals.at(-1), isOutdated, openFile);
    return state;
  }

  /** lowdb's way to save everything. There is nothing to do: what changes is appended as it comes. */
  async write(): Promise<void> {}

  /** Resolves once the changes are on disk. */
  async append(changes: Change[]): Promise<void> {
    const journal = this.#journal;
    if (!journal) throw new Error('the folder was not read');
    if (this.#isCompactionDue()) await this.#compact(journal);
    const { generation } = journal.extent;
    const before = journal.extent;
    const written = await journal.append(changes.map(({ members }) => members));
    if (journal.extent.generation !== generation) this.#sealed.push(before);
    this.#totalBytes += written;
    this.#wasteBytes += written;
    for (const { lastingBytes } of changes) this.#wasteBytes -= lastingBytes;
  }

  /** Lets go of the files. */
  async close(): Promise<void> {
    await this.#compaction.stop();
    await this.#compacting;
    await this.#journal?.close();
  }

  #isCompactionDue(): boolean {
    const waste = this.#wasteBytes;
    return (
      this.#compacting === undefined &&
      waste >= this.#options.compactAtBytes &&
      waste >= this.#totalBytes - waste &&
      this.#options.clock() >= this.#noCompactionBefore
    );
  }

  /** Begins the next journal, and folds all before it while that one is written. */
  async #compact(journal: Journal): Promise<void> {
    const last = journal.extent;
    await journal.beginNext();
    this.#sealed.push(last);
    this.#compacting = this.#fold(last.generation + 1).finally(() => {
      this.#compacting = undefined;
    });
  }

  async #fold(generation: number): Promise<void> {
    const { folder, clock, onError } = this.#options;
    const [waste, total] = [this.#wasteBytes, this.#totalBytes];
    const journals = [...this.#sealed];
    try {
      const order = { folder, snapshot: this.#snapshot, journals, now: clock() };
      if (!(await this.#compaction.run(order))) return;
      this.#snapshot = generation;
      this.#sealed = this.#sealed.slice(journals.length);
      this.#totalBytes += statSync(snapshotPath(folder, generation)).size - total;
      this.#wasteBytes -= waste;
    } catch (error) {
      this.#noCompactionBefore = clock() + COMPACTION_RETRY_MS;
      onError(error);
    }
  }
}
