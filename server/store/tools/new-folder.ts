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
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { lockFolder } from '../json-file/files/folder.ts';
import { syncFolder, writeLastBackup } from '../json-file/files/small-files.ts';
import { StoreOpenError } from '../store.ts';

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

/**
 * An administrator restores for the user who runs the server. That user can change the folder at any
 * moment, and put a symbolic link into it. So what happens there happens with the user's rights.
 *
 * @param folder if it doesn't exist, the one that it will be in counts
 * @returns a function that gives root its rights back
 */
export function actAsOwner(folder: string): () => void {
  if (process.geteuid?.() !== 0) return () => {};
  let existing = folder;
  while (!existsSync(existing)) existing = dirname(existing);
  const { uid, gid } = statSync(existing);
  if (uid === 0) return () => {};
  const [ownGroup, ownGroups] = [process.getegid?.() ?? 0, process.getgroups?.() ?? []];
  process.setgroups?.([gid]);
  process.setegid?.(gid);
  process.seteuid?.(uid);
  return () => {
    process.seteuid?.(0);
    process.setegid?.(ownGroup);
    process.setgroups?.(ownGroups);
  };
}

/**
 * Lets the server of the folder know of a backup.
 *
 * @param now milliseconds since the epoch
 * @throws Error if the folder cannot be written, such as by a user who may only read it
 */
export async function noteBackup(folder: string, now: number): Promise<void> {
  const restoreRights = actAsOwner(folder);
  try {
    await writeLastBackup(folder, now);
  } finally {
    restoreRights();
  }
}

/**
 * Cleans up if the process is asked to end, and then lets the signal end it. `process.exit` would wait for
 * a read that never returns, such as one of a network drive that is away.
 *
 * @returns a function after which it doesn't any more
 */
export function onInterrupt(cleanUp: () => void): () => void {
  const settle = () => {
    process.off('SIGINT', end).off('SIGTERM', end);
  };
  const end = (signal: NodeJS.Signals) => {
    cleanUp();
    settle();
    process.kill(process.pid, signal);
    // The first process of a container gets no signal that it doesn't handle.
    process.exit(128 + constants.signals[signal]);
  };
  process.on('SIGINT', end).on('SIGTERM', end);
  return settle;
}
