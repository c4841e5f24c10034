import { randomUUID } from 'node:crypto';
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { syncFolder } from './files/durable-file.ts';
import { lockFolder } from './files/folder-lock.ts';

/** A new file system has it. */
const IGNORED = ['lost+found'];

/** Whether the folder does not exist, or has no content. */
export function isFree(folder: string): boolean {
  return !existsSync(folder) || readdirSync(folder).every((name) => IGNORED.includes(name));
}

/**
 * A data folder that is written beside its place, and gets its place when it is complete. If that is
 * interrupted, the folder does not open, or is still empty.
 */
export class NewFolder {
  /** Where to write the files. */
  readonly temporary: string;
  readonly #folder: string;
  readonly #isNew: boolean;
  readonly #unlock: () => void;

  /** @param folder must be free */
  constructor(folder: string) {
    this.#folder = folder;
    this.#isNew = !existsSync(folder);
    this.temporary = this.#isNew
      ? join(dirname(folder), `.${basename(folder)}.${randomUUID()}`)
      : join(folder, `.new.${randomUUID()}`);
    // Another program can be about to create a store there.
    this.#unlock = this.#isNew ? () => {} : lockFolder(folder);
    mkdirSync(this.temporary, { recursive: true, mode: 0o700 });
  }

  /** Gives the files their place. */
  async complete(): Promise<void> {
    await syncFolder(this.temporary);
    if (this.#isNew) renameSync(this.temporary, this.#folder);
    else moveInto(this.#folder, this.temporary);
    await syncFolder(this.#isNew ? dirname(this.#folder) : this.#folder);
  }

  /** Removes what did not get its place. */
  close(): void {
    rmSync(this.temporary, { recursive: true, force: true });
    this.#unlock();
  }
}

/**
 * Moves files so that the folder opens only with all of them: the one with which the state begins comes
 * last, and the other journals from the newest on.
 */
function moveInto(folder: string, temporary: string): void {
  const { uid, gid } = statSync(folder);
  const names = readdirSync(temporary).sort().reverse();
  const first = names.filter((name) => name.startsWith('snapshot-'));
  const journals = names.filter((name) => name.startsWith('journal-'));
  const others = names.filter((name) => !first.includes(name) && !journals.includes(name));
  // An administrator restores for the user who runs the server.
  const isAdministrator = process.geteuid?.() === 0;
  if (isAdministrator) chownSync(join(folder, 'lock'), uid, gid);
  for (const name of [...others, ...journals, ...first]) {
    if (isAdministrator) chownSync(join(temporary, name), uid, gid);
    renameSync(join(temporary, name), join(folder, name));
  }
}
