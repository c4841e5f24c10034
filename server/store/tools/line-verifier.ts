import { isIntact } from '../json-file/files/checked-line.ts';

const LINE_FEED = 0x0a;
/** Texts in JSON can't contain it: their quotation marks are escaped. */
const IDENTITY = '"identityHash":';
const BATCH = /^\{"batch":(\d+),/;
/** Longer than the beginning of a line with the offset of its batch. */
const BATCH_MAX_BYTES = 32;

/** Checks the lines of a file that arrives in chunks. */
export class LineVerifier {
  readonly damaged: { line: number; byte: number }[] = [];
  /** Whether a line has an account that is found by the data folder's secret only. */
  hasIdentities = false;
  readonly #hasBatches: boolean;
  /** Where the batch of the line before begins. */
  #batch = 0;
  /** Where damaged lines are. A batch can begin with one. */
  readonly #broken: { start: number; end: number }[] = [];
  #isOrdered = true;
  #rest = Buffer.alloc(0);
  #line = 1;
  #byte = 0;

  /** @param hasBatches whether it is a journal, whose lines name the offset of their batch */
  constructor(hasBatches: boolean) {
    this.#hasBatches = hasBatches;
  }

  /** The chunk can be overwritten afterwards. */
  add(chunk: Buffer): void {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    let start = 0;
    for (;;) {
      const end = bytes.indexOf(LINE_FEED, start);
      if (end === -1) break;
      // The audit log can have an empty line after one that was cut off.
      if (end > start) this.#check(bytes, start, end);
      this.#line++;
      start = end + 1;
    }
    this.hasIdentities ||= bytes.subarray(0, start).includes(IDENTITY);
    this.#rest = Buffer.from(bytes.subarray(start));
    this.#byte += start;
  }

  #check(bytes: Buffer, start: number, end: number): void {
    const [line, byte] = [this.#line, this.#byte + start];
    if (!isIntact(bytes, start, end)) {
      this.damaged.push({ line, byte });
      this.#broken.push({ start: byte, end: this.#byte + end });
    } else if (this.#hasBatches && this.#isOrdered && line > 1) {
      // Once a line is missing, all lines after it are in another place.
      this.#isOrdered = this.#isKnownBatch(bytes, start, byte);
      if (!this.#isOrdered) this.damaged.push({ line, byte });
    }
  }

  /** Whether a line continues its batch, starts one, or belongs to one that starts with a broken line. */
  #isKnownBatch(bytes: Buffer, start: number, byte: number): boolean {
    const [, digits] = BATCH.exec(bytes.toString('latin1', start, start + BATCH_MAX_BYTES)) ?? [];
    const before = this.#batch;
    const batch = Number(digits);
    this.#batch = batch;
    if (batch === before || batch === byte) return true;
    return this.#broken.some((broken) => batch >= broken.start && batch < broken.end);
  }

  /** @param isCutOff whether further lines are missing, of which the first one is reported */
  end(isCutOff: boolean): void {
    if (isCutOff || this.#rest.length > 0) {
      this.damaged.push({ line: this.#line, byte: this.#byte });
    }
  }
}
