import { join } from 'node:path';
import {
  type AuditEntry,
  type AuditPage,
  type AuditQuery,
  InvalidPositionError,
} from '../../administration.ts';
import { StoreUnavailableError } from '../../store.ts';
import { type Line, LineFile, toLine } from './line-file.ts';
import { type OpenFile, syncFolder } from './small-files.ts';

const LINE_FEED = 0x0a;
type CheckedEntry = AuditEntry & { crc?: string };

/**
 * The audit log in a data folder: checked lines in a file of its own, because it is never compacted.
 * Administrators act and look rarely, so the file is opened for each entry, and for each page.
 */
export class AuditFile {
  readonly #folder: string;
  readonly #openFile: OpenFile;
  #appending: Promise<unknown> = Promise.resolve();

  constructor(folder: string, openFile: OpenFile) {
    this.#folder = folder;
    this.#openFile = openFile;
  }

  /** Resolves when the entry is on disk. @throws StoreUnavailableError */
  append(entry: AuditEntry): Promise<void> {
    const appended = this.#appending.then(() => this.#append(entry));
    this.#appending = appended.catch(() => undefined);
    return appended;
  }

  /** `next` is where the line of the last entry begins: a page reads the end of what is before it. */
  async list({ limit, after }: AuditQuery): Promise<AuditPage> {
    // Otherwise a line that is half written would count as damaged.
    await this.#appending;
    const file = LineFile.openIfExists(auditPath(this.#folder));
    try {
      const end = after === null ? (file?.bytes ?? 0) : Number(after);
      if (after !== null && !file?.isLineStart(end)) throw new InvalidPositionError();
      return readPage(file?.lastLines<CheckedEntry>(end) ?? [], limit);
    } finally {
      file?.close();
    }
  }

  /** Completes pending writes. */
  async close(): Promise<void> {
    await this.#appending;
  }

  async #append(entry: AuditEntry): Promise<void> {
    try {
      const file = await this.#openFile(auditPath(this.#folder), 'a+', 0o600);
      try {
        const { size } = await file.stat();
        // A crash or a full disk may have cut the last line off.
        const last = await file.read(Buffer.alloc(1), 0, 1, Math.max(0, size - 1));
        const isCutOff = size > 0 && last.buffer[0] !== LINE_FEED;
        const line = toLine(entry);
        await file.appendFile(isCutOff ? `\n${line}` : line);
        await file.datasync();
        if (size === 0) await syncFolder(this.#folder);
      } finally {
        await file.close();
      }
    } catch (cause) {
      throw new StoreUnavailableError('The audit log cannot be written.', { cause });
    }
  }
}

/** @param lines newest first; those after the page are not read */
function readPage(lines: Iterable<Line<CheckedEntry>>, limit: number): AuditPage {
  const page: AuditPage = { entries: [], next: null, damagedLines: 0 };
  let last = 0;
  for (const line of lines) {
    const entry = toEntry(line);
    if (entry && page.entries.length === limit) return { ...page, next: String(last) };
    if (isDamagedEntry(line)) page.damagedLines++;
    if (!entry) continue;
    page.entries.push(entry);
    last = line.start;
  }
  return page;
}

function toEntry({ value }: Line<CheckedEntry>): AuditEntry | undefined {
  if (!value) return undefined;
  const { crc: _, ...entry } = value;
  return entry;
}

/** Reads the lines of the log, oldest first. A damaged one has no entry. */
export function* readAudit(folder: string) {
  const file = LineFile.openIfExists(auditPath(folder));
  try {
    for (const line of file?.lines<CheckedEntry>() ?? []) yield { entry: toEntry(line) };
  } finally {
    file?.close();
  }
}

export function auditPath(folder: string): string {
  return join(folder, 'audit.jsonl');
}

/** An empty line follows one that a crash cut off. */
export function isDamagedEntry({ value, bytes }: Line<unknown>): boolean {
  return value === undefined && bytes.length > 0;
}
