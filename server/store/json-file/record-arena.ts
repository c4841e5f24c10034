const PAGE_BYTES = 1024 * 1024;
const FIRST_CAPACITY = 1024;

/**
 * Keeps JSON records as the bytes that they are on disk, one after the other in large pages: a
 * million objects would take twice the memory, and the collector's time over and over. Records are
 * numbered from 0 as they come.
 */
export class RecordArena {
  readonly #pages: Buffer[] = [];
  #pageFilled = 0;
  /** Of each record: its page, where it begins in there, its length. */
  #places = new Uint32Array(3 * FIRST_CAPACITY);
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** @returns the record's number */
  add(json: string): number {
    const length = Buffer.byteLength(json);
    this.#page(length).write(json, this.#pageFilled);
    return this.#place(length);
  }

  addBytes(bytes: Buffer, start: number, end: number): number {
    bytes.copy(this.#page(end - start), this.#pageFilled, start, end);
    return this.#place(end - start);
  }

  read<T>(number: number): T {
    return JSON.parse(this.#text(number, this.#placed(number, 2)));
  }

  /** Whether the record's text begins with this, which is ASCII. */
  beginsWith(number: number, text: string): boolean {
    return text.length <= this.#placed(number, 2) && this.#text(number, text.length) === text;
  }

  #text(number: number, length: number): string {
    const start = this.#placed(number, 1);
    return this.#pages[this.#placed(number, 0)]?.toString('utf8', start, start + length) ?? '';
  }

  #placed(number: number, part: 0 | 1 | 2): number {
    return this.#places[3 * number + part] ?? 0;
  }

  /** The page that has room for so many bytes, from `#pageFilled` on. */
  #page(length: number): Buffer {
    const last = this.#pages.at(-1);
    if (last && this.#pageFilled + length <= last.length) return last;
    const page = Buffer.allocUnsafeSlow(Math.max(PAGE_BYTES, length));
    this.#pages.push(page);
    this.#pageFilled = 0;
    return page;
  }

  #place(length: number): number {
    const number = this.#count++;
    if (3 * number === this.#places.length) this.#places = doubled(this.#places);
    this.#places[3 * number] = this.#pages.length - 1;
    this.#places[3 * number + 1] = this.#pageFilled;
    this.#places[3 * number + 2] = length;
    this.#pageFilled += length;
    return number;
  }
}

/** The same numbers, and as many zeros: for columns that grow with the records. */
export function doubled<T extends Uint32Array | Float64Array>(column: T): T {
  const larger = new (column.constructor as new (length: number) => T)(2 * column.length);
  larger.set(column);
  return larger;
}
