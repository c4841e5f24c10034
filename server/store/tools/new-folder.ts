import { randomUUID } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { syncFolder } from '../json-file/files/durable-file.ts';
import { lockFolder } from '../json-file/files/folder-lock.ts';
import { StoreOpenError } from '../store.ts';
import { onInterrupt } from './on-interrupt.ts';

const LOCK = 'lock';
/** What is no content: a new file system has the first one, the lock is empty. */
const IGNORED = ['lost+found', LOCK];
/** What a command left that was killed. */
const LEFT_OVER = /^\.new\.[0-9a-f-]{36}$/;

/** Whether the folder does not exist, or has no content. */
export function isFree(folder: string): boolean {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names.every((name) => IGNORED.includes(name) || LEFT_OVER.test(name));
}

/**
 * A data folder whose files are written in a folder in it, and get their place when all are complete. If
 * that is interrupted, the folder does not open, or still has no content.
 */
export class NewFolder {
  /** Where to write the files. */
  readonly temporary: string;
  readonly #folder: string;
  readonly #isNew: boolean;
  readonly #unlock: () => void;
  readonly #ignoreSignals: () => void;

  /**
   * @param folder must be free
   * @throws StoreOpenError if it is in use, or if root would write to another user's folder
   */
  constructor(folder: string) {
    this.#folder = folder;
    this.#isNew = !existsSync(folder);
    if (this.#isNew) mkdirSync(folder, { recursive: true, mode: 0o700 });
    else assertNotRootElsewhere(folder);
    this.temporary = join(folder, `.new.${randomUUID()}`);
    // Another program can be about to create a store there.
    this.#unlock = lock(folder);
    this.#ignoreSignals = onInterrupt(() => this.#remove());
    mkdirSync(this.temporary, { mode: 0o700 });
  }

  /** Gives the files their place. */
  async complete(): Promise<void> {
    await syncFolder(this.temporary);
    moveInto(this.#folder, this.temporary);
    await syncFolder(this.#folder);
    if (this.#isNew) await syncFolder(dirname(this.#folder));
  }

  /** Removes what did not get its place. */
  close(): void {
    this.#remove();
    this.#ignoreSignals();
  }

  #remove(): void {
    // A file may be created in it at this very moment.
    rmSync(this.temporary, { recursive: true, force: true, maxRetries: 3 });
    this.#unlock();
    if (this.#isNew && readdirSync(this.#folder).length === 0) rmdirSync(this.#folder);
  }
}

/** @returns a function that releases the lock, and removes it if it is new and the folder still empty */
function lock(folder: string): () => void {
  const isNew = !existsSync(join(folder, LOCK));
  const unlock = lockFolder(folder);
  for (const name of readdirSync(folder)) {
    if (LEFT_OVER.test(name)) rmSync(join(folder, name), { recursive: true });
  }
  return () => {
    // Nobody else has opened it successfully.
    if (isNew && isFree(folder)) rmSync(join(folder, LOCK), { force: true });
    unlock();
  };
}

/**
 * The owner of a folder can put a symbolic link into it at any moment, and so have root write or give
 * away any file.
 */
function assertNotRootElsewhere(folder: string): void {
  const { uid } = statSync(folder);
  if (process.geteuid?.() !== 0 || uid === 0) return;
  throw new StoreOpenError(
    `${folder} belongs to user ${uid}. Run the command as this user: sudo -u '#${uid}' …`,
  );
}

/**
 * Moves files so that the folder opens only with all of them: the one with which the state begins comes
 * last, and the other journals from the newest on.
 */
function moveInto(folder: string, temporary: string): void {
  const names = readdirSync(temporary).sort().reverse();
  const first = names.filter((name) => name.startsWith('snapshot-'));
  const journals = names.filter((name) => name.startsWith('journal-'));
  const others = names.filter((name) => !first.includes(name) && !journals.includes(name));
  for (const name of [...others, ...journals, ...first]) {
    renameSync(join(temporary, name), join(folder, name));
  }
}
