import { Column } from './column.ts';

const PAGE_BYTES = 1024 * 1024;
const PAGE_FACTOR = 2 ** 32;
const SMALLEST_STEP = 32;
const SPACE = 0x20;
/** The columns of a place. */
const [PAGE, START, LENGTH] = [0, 1, 2];

/** The position of a record's bytes. */
export type Place = { page: number; start: number; length: number };

/**
 * Stores JSON records as bytes, one after the other in large pages. A million objects would take twice
 * the memory and slow down garbage collection. Records are numbered from 0 in the order of insertion.
 *
 * Records can be rewritten. The space of the previous text is reused by later rewrites of about the same
 * length, so that a record that is rewritten a million times takes about twice its size.
 */
export class RecordArena {
  readonly #pages: Buffer[] = [];
  #pageFilled = 0;
  /** For each record: its page, its start in the page and its length. */
  readonly #places = new Column(Uint32Array, 3);
  #count = 0;
  /**
   * Released places by their length, which is rounded as in `roundUp`. Each is one number, its page
   * times `PAGE_FACTOR` plus its start: deleting an account may release millions.
   */
  readonly #free = new Map<number, number[]>();

  get count(): number {
    return this.#count;
  }

  /** @returns the record's number */
  add(json: string): number {
    const length = Buffer.byteLength(json);
    this.#page(length).write(json, this.#pageFilled);
    return this.#number(length);
  }

  addBytes(bytes: Buffer, start: number, end: number): number {
    bytes.copy(this.#page(end - start), this.#pageFilled, start, end);
    return this.#number(end - start);
  }

  /** Replaces the text of a record. The place of the old text must be released separately. */
  rewrite(number: number, json: string): void {
    this.#setPlace(number, this.write(json));
  }

  /** Stores a text outside of the records, padded with spaces to the length of its place. */
  write(json: string): Place {
    const length = roundUp(Buffer.byteLength(json));
    const place = this.#reuse(length) ?? this.#newPlace(length);
    const bytes = this.#pages[place.page]?.subarray(place.start, place.start + length);
    bytes?.fill(' ', bytes.write(json));
    return place;
  }

  /** Makes the place available for later texts. */
  release({ page, start, length }: Place): void {
    const usable = roundDown(length);
    if (usable === 0) return;
    const released = page * PAGE_FACTOR + start;
    const places = this.#free.get(usable);
    if (places) places.push(released);
    else this.#free.set(usable, [released]);
  }

  /** Releases the record's place. Its number stays, for `rewrite`; its text is empty until then. */
  erase(number: number): void {
    this.release(this.placeOf(number));
    this.#setPlace(number, { page: 0, start: 0, length: 0 });
  }

  isErased(number: number): boolean {
    return this.#places.get(number, LENGTH) === 0;
  }

  read<T>(number: number): T {
    return JSON.parse(this.text(number));
  }

  /** The record's JSON, possibly followed by spaces. */
  text(number: number): string {
    return this.#text(number, this.#places.get(number, LENGTH));
  }

  readAt<T>({ page, start, length }: Place): T {
    return JSON.parse(this.#pages[page]?.toString('utf8', start, start + length) ?? '');
  }

  /** Length of the record's text without trailing spaces. */
  lengthOf(number: number): number {
    const { page, start, length } = this.placeOf(number);
    let end = start + length;
    while (this.#pages[page]?.[end - 1] === SPACE) end--;
    return end - start;
  }

  placeOf(number: number): Place {
    return {
      page: this.#places.get(number, PAGE),
      start: this.#places.get(number, START),
      length: this.#places.get(number, LENGTH),
    };
  }

  /** @param text ASCII */
  beginsWith(number: number, text: string): boolean {
    return (
      text.length <= this.#places.get(number, LENGTH) &&
      this.#text(number, text.length, 'latin1') === text
    );
  }

  #text(number: number, length: number, encoding: 'utf8' | 'latin1' = 'utf8'): string {
    const start = this.#places.get(number, START);
    const page = this.#pages[this.#places.get(number, PAGE)];
    return page?.toString(encoding, start, start + length) ?? '';
  }

  #setPlace(number: number, { page, start, length }: Place): void {
    this.#places.set(number, PAGE, page);
    this.#places.set(number, START, start);
    this.#places.set(number, LENGTH, length);
  }

  /** A page with space for this many bytes from `#pageFilled` on. */
  #page(length: number): Buffer {
    const last = this.#pages.at(-1);
    if (last && this.#pageFilled + length <= last.length) return last;
    const page = Buffer.allocUnsafeSlow(Math.max(PAGE_BYTES, length));
    this.#pages.push(page);
    this.#pageFilled = 0;
    return page;
  }

  #number(length: number): number {
    const number = this.#count++;
    this.#setPlace(number, this.#take(length));
    return number;
  }

  #reuse(length: number): Place | undefined {
    const released = this.#free.get(length)?.pop();
    if (released === undefined) return undefined;
    const page = Math.floor(released / PAGE_FACTOR);
    return { page, start: released - page * PAGE_FACTOR, length };
  }

  #newPlace(length: number): Place {
    this.#page(length);
    return this.#take(length);
  }

  /** Takes space in the page that `#page` returned. */
  #take(length: number): Place {
    const place = { page: this.#pages.length - 1, start: this.#pageFilled, length };
    this.#pageFilled += length;
    return place;
  }
}

/** Rounds up to a length that places share, so that they can be reused: at most a quarter more. */
function roundUp(length: number): number {
  const step = stepOf(length);
  return Math.ceil(length / step) * step;
}

function roundDown(length: number): number {
  const step = stepOf(length);
  return Math.floor(length / step) * step;
}

/** A quarter of the next lower power of two. */
function stepOf(length: number): number {
  return Math.max(SMALLEST_STEP, 2 ** (29 - Math.clz32(length)));
}
