import { type FileHandle, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  type AuditEntry,
  type AuditPage,
  type AuditQuery,
  InvalidPositionError,
} from '../../administration.ts';
import { StoreUnavailableError } from '../../store.ts';
import { isIntact, toLine } from './checked-line.ts';
import { type OpenFile, syncFolder } from './durable-file.ts';
import type { Line } from './line-file.ts';
import { type LineBlock, readLinesBackward } from './read-lines-backward.ts';

const LINE_FEED = 0x0a;
const NO_ENTRIES: AuditPage = { entries: [], next: null, damagedLines: 0 };

/** Damaged lines of the file as it was then. */
type Count = { size: number; mtimeMs: number; damagedLines: number };

/**
 * The audit log in a data folder: checked lines in a file of its own, because it is never compacted.
 * Administrators act rarely, so the file is opened for each entry and each page. A page is read from its
 * end. Damaged lines are counted once, and again if another program has changed the file.
 */
export class AuditFile {
  readonly #path: string;
  readonly #openFile: OpenFile;
  #appending: Promise<unknown> = Promise.resolve();
  #count: Count | undefined;

  constructor(folder: string, openFile: OpenFile) {
    this.#path = auditPath(folder);
    this.#openFile = openFile;
  }

  /** Resolves when the entry is on disk. @throws StoreUnavailableError */
  append(entry: AuditEntry): Promise<void> {
    const appended = this.#appending.then(() => this.#append(entry));
    this.#appending = appended.catch(() => undefined);
    return appended;
  }

  async list(query: AuditQuery): Promise<AuditPage> {
    // Otherwise a line that is half written would count as damaged.
    await this.#appending;
    const file = await this.#openToRead();
    if (!file) return NO_ENTRIES;
    try {
      const state = await file.stat();
      const page = await readPage(file, state.size, query);
      return { ...page, damagedLines: await this.#countDamagedLines(file, state) };
    } finally {
      await file.close();
    }
  }

  /** Completes pending writes. */
  async close(): Promise<void> {
    await this.#appending;
  }

  async #append(entry: AuditEntry): Promise<void> {
    try {
      const file = await this.#openFile(this.#path, 'a+', 0o600);
      try {
        const before = await file.stat();
        const { size } = before;
        // A crash or a full disk may have cut the last line off.
        const last = await file.read(Buffer.alloc(1), 0, 1, Math.max(0, size - 1));
        const isCutOff = size > 0 && last.buffer[0] !== LINE_FEED;
        const line = toLine(JSON.stringify(entry).slice(1, -1));
        await file.appendFile(isCutOff ? `\n${line}` : line);
        await file.datasync();
        if (size === 0) await syncFolder(dirname(this.#path));
        if (isSameState(this.#count, before)) {
          this.#count = { ...toState(await file.stat()), damagedLines: this.#count.damagedLines };
        }
      } finally {
        await file.close();
      }
    } catch (cause) {
      throw new StoreUnavailableError('The audit log cannot be written.', { cause });
    }
  }

  async #countDamagedLines(file: FileHandle, state: State): Promise<number> {
    if (isSameState(this.#count, state)) return this.#count.damagedLines;
    let damagedLines = 0;
    for await (const { bytes, lines } of readLinesBackward(file, state.size)) {
      damagedLines += lines.filter(({ start, end }) => !isIntact(bytes, start, end)).length;
    }
    this.#count = { ...toState(state), damagedLines };
    return damagedLines;
  }

  async #openToRead(): Promise<FileHandle | undefined> {
    try {
      return await open(this.#path, 'r');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }
}

export function auditPath(folder: string): string {
  return join(folder, 'audit.jsonl');
}

/** An empty line follows one that a crash cut off. */
export function isDamagedEntry({ value, bytes }: Line<unknown>): boolean {
  return value === undefined && bytes.length > 0;
}

type State = Pick<Count, 'size' | 'mtimeMs'>;

function toState({ size, mtimeMs }: State): State {
  return { size, mtimeMs };
}

function isSameState(count: Count | undefined, { size, mtimeMs }: State): count is Count {
  return count?.size === size && count.mtimeMs === mtimeMs;
}

/** `next` is where the last line of the page begins in the file. */
async function readPage(
  file: FileHandle,
  size: number,
  { limit, after }: AuditQuery,
): Promise<Omit<AuditPage, 'damagedLines'>> {
  const end = after === null ? size : await toPosition(file, after);
  const entries: AuditEntry[] = [];
  let first = end;
  for await (const block of readLinesBackward(file, end)) {
    for (const line of block.lines) {
      if (!isIntact(block.bytes, line.start, line.end)) continue;
      if (entries.length === limit) return { entries, next: String(first) };
      entries.push(parse(block, line));
      first = block.offset + line.start;
    }
  }
  return { entries, next: null };
}

/** @throws InvalidPositionError unless a line ends before it */
async function toPosition(file: FileHandle, after: string): Promise<number> {
  const position = Number(after);
  if (!Number.isSafeInteger(position) || position <= 0) throw new InvalidPositionError();
  const { bytesRead, buffer } = await file.read(Buffer.alloc(1), 0, 1, position - 1);
  if (bytesRead === 0 || buffer[0] !== LINE_FEED) throw new InvalidPositionError();
  return position;
}

function parse({ bytes }: LineBlock, { start, end }: { start: number; end: number }): AuditEntry {
  const { crc: _, ...entry } = JSON.parse(bytes.toString('utf8', start, end));
  return entry;
}
