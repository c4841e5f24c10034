import { isIntact } from '../files/checked-line.ts';

const LINE_FEED = 0x0a;
/** Texts in JSON can't contain it: their quotation marks are escaped. */
const IDENTITY = '"identityHash":';

/** Checks the lines of a file that arrives in chunks. */
export class LineVerifier {
  readonly damaged: { line: number; byte: number }[] = [];
  /** Whether a line has an account that is found by the data folder's secret only. */
  hasIdentities = false;
  #rest = Buffer.alloc(0);
  #line = 1;
  #byte = 0;

  /** The chunk can be overwritten afterwards. */
  add(chunk: Buffer): void {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    let start = 0;
    for (;;) {
      const end = bytes.indexOf(LINE_FEED, start);
      if (end === -1) break;
      // The audit log can have an empty line after one that was cut off.
      if (end > start && !isIntact(bytes, start, end)) {
        this.damaged.push({ line: this.#line, byte: this.#byte + start });
      }
      this.#line++;
      start = end + 1;
    }
    this.hasIdentities ||= bytes.subarray(0, start).includes(IDENTITY);
    this.#rest = Buffer.from(bytes.subarray(start));
    this.#byte += start;
  }

  /** @param isCutOff whether further lines are missing, of which the first one is reported */
  end(isCutOff: boolean): void {
    if (isCutOff || this.#rest.length > 0) {
      this.damaged.push({ line: this.#line, byte: this.#byte });
    }
  }
}
