import {
  closeSync,
  fdatasyncSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { toLine } from '../files/checked-line.ts';
import { headerLine } from '../files/file-header.ts';
import { snapshotPath } from '../files/generations.ts';

const LINE_FEED = Buffer.from('\n');
const BUFFER_BYTES = 1024 * 1024;
/** Synced in parts: syncing a whole snapshot at once would delay the journal's syncs for seconds. */
const SYNC_BYTES = 8 * 1024 * 1024;

/** Writes a snapshot, line by line, under a temporary name until it is complete and on disk. */
export class SnapshotWriter {
  readonly #path: string;
  readonly #file: number;
  readonly #buffer = Buffer.allocUnsafe(BUFFER_BYTES);
  #filled = 0;
  #unsynced = 0;
  #lines = 0;

  /** @param erasedAt the present time, if older files have content that was erased */
  constructor(folder: string, generation: number, erasedAt: number | undefined) {
    this.#path = snapshotPath(folder, generation);
    this.#file = openSync(`${this.#path}.tmp`, 'w', 0o600);
    this.#addText(headerLine('snapshot', generation, undefined, erasedAt));
  }

  /** @param members the line's members, as JSON */
  add(members: string): void {
    this.#lines++;
    this.#addText(toLine(members));
  }

  /** Copies a line from `start` to `end`, the position of its line feed. */
  copy(bytes: Buffer, start: number, end: number): void {
    this.#lines++;
    this.#addBytes(bytes.subarray(start, end));
    this.#addBytes(LINE_FEED);
  }

  /** Makes it the newest snapshot of the folder. */
  finish(): void {
    this.#addText(toLine(`"end":${this.#lines}`));
    this.#flush();
    fsyncSync(this.#file);
    closeSync(this.#file);
    renameSync(`${this.#path}.tmp`, this.#path);
    const folder = openSync(dirname(this.#path), 'r');
    fsyncSync(folder);
    closeSync(folder);
  }

  /** Removes the temporary file: a full disk needs the space. */
  abandon(): void {
    rmSync(`${this.#path}.tmp`, { force: true });
  }

  #addText(text: string): void {
    this.#addBytes(Buffer.from(text));
  }

  #addBytes(bytes: Buffer): void {
    if (this.#filled + bytes.length > BUFFER_BYTES) this.#flush();
    if (bytes.length > BUFFER_BYTES) {
      this.#write(bytes);
      return;
    }
    bytes.copy(this.#buffer, this.#filled);
    this.#filled += bytes.length;
  }

  #flush(): void {
    this.#write(this.#buffer.subarray(0, this.#filled));
    this.#filled = 0;
  }

  #write(bytes: Buffer): void {
    for (let written = 0; written < bytes.length; ) {
      written += writeSync(this.#file, bytes, written, bytes.length - written);
    }
    this.#unsynced += bytes.length;
    if (this.#unsynced < SYNC_BYTES) return;
    fdatasyncSync(this.#file);
    this.#unsynced = 0;
  }
}
