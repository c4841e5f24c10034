import { readFile } from 'node:fs/promises';
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

const LINE_FEED = 0x0a;

/**
 * The audit log in a data folder: checked lines in a file of its own, because it is never compacted.
 * Administrators act rarely, so the file is opened for each entry and read as a whole.
 */
export class AuditFile {
  readonly #path: string;
  readonly #openFile: OpenFile;
  #appending: Promise<unknown> = Promise.resolve();

  constructor(folder: string, openFile: OpenFile) {
    this.#path = join(folder, 'audit.jsonl');
    this.#openFile = openFile;
  }

  /** Resolves when the entry is on disk. @throws StoreUnavailableError */
  append(entry: AuditEntry): Promise<void> {
    const appended = this.#appending.then(() => this.#append(entry));
    this.#appending = appended.catch(() => undefined);
    return appended;
  }

  async list({ limit, after }: AuditQuery): Promise<AuditPage> {
    const bytes = await this.#read();
    const end = after === null ? bytes.length : Number(after);
    if (!Number.isSafeInteger(end) || end < 0) throw new InvalidPositionError();
    let damagedLines = 0;
    const found: { start: number; entry: AuditEntry }[] = [];
    for (const { start, lineEnd } of linesOf(bytes)) {
      if (!isIntact(bytes, start, lineEnd)) damagedLines++;
      else if (start < end) found.push({ start, entry: parse(bytes, start, lineEnd) });
    }
    const page = found.reverse().slice(0, limit);
    return {
      entries: page.map(({ entry }) => entry),
      next: page.length < found.length ? String(page.at(-1)?.start) : null,
      damagedLines,
    };
  }

  /** Completes pending writes. */
  async close(): Promise<void> {
    await this.#appending;
  }

  async #append(entry: AuditEntry): Promise<void> {
    try {
      const file = await this.#openFile(this.#path, 'a+', 0o600);
      try {
        const { size } = await file.stat();
        // A crash or a full disk may have cut the last line off.
        const last = await file.read(Buffer.alloc(1), 0, 1, Math.max(0, size - 1));
        const isCutOff = size > 0 && last.buffer[0] !== LINE_FEED;
        const line = toLine(JSON.stringify(entry).slice(1, -1));
        await file.appendFile(isCutOff ? `\n${line}` : line);
        await file.datasync();
        if (size === 0) await syncFolder(dirname(this.#path));
      } finally {
        await file.close();
      }
    } catch (cause) {
      throw new StoreUnavailableError('The audit log cannot be written.', { cause });
    }
  }

  async #read(): Promise<Buffer> {
    try {
      return await readFile(this.#path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return Buffer.alloc(0);
      throw error;
    }
  }
}

/** Lines that are not empty. The last one may lack its line feed. */
function* linesOf(bytes: Buffer): Generator<{ start: number; lineEnd: number }> {
  for (let start = 0; start < bytes.length; ) {
    const found = bytes.indexOf(LINE_FEED, start);
    const lineEnd = found === -1 ? bytes.length : found;
    if (lineEnd > start) yield { start, lineEnd };
    start = lineEnd + 1;
  }
}

function parse(bytes: Buffer, start: number, end: number): AuditEntry {
  const { crc: _, ...entry } = JSON.parse(bytes.toString('utf8', start, end));
  return entry;
}
