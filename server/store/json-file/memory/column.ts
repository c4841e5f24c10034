const PAGE_BITS = 14;
const RECORDS_IN_PAGE = 2 ** PAGE_BITS;

/**
 * One or more numbers per record, stored in pages of a fixed size. A single array that doubles when
 * it is full would be copied at once, which blocks the event loop for 70 ms at a million records.
 */
export class Column {
  readonly #pages: (Uint32Array | Float64Array)[] = [];
  readonly #type: Uint32ArrayConstructor | Float64ArrayConstructor;
  readonly #width: number;

  /** @param width how many numbers each record has */
  constructor(type: Uint32ArrayConstructor | Float64ArrayConstructor, width = 1) {
    this.#type = type;
    this.#width = width;
  }

  /** @returns 0 if nothing was set */
  get(record: number, part = 0): number {
    return this.#pages[record >>> PAGE_BITS]?.[this.#place(record, part)] ?? 0;
  }

  /** @param part which of the record's numbers, from 0 */
  set(record: number, part: number, value: number): void {
    const page = record >>> PAGE_BITS;
    this.#pages[page] ??= new this.#type(RECORDS_IN_PAGE * this.#width);
    this.#pages[page][this.#place(record, part)] = value;
  }

  add(record: number, part: number, more: number): void {
    this.set(record, part, this.get(record, part) + more);
  }

  #place(record: number, part: number): number {
    return (record & (RECORDS_IN_PAGE - 1)) * this.#width + part;
  }
}
