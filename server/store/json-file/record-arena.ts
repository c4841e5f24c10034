import { Column } from './column.ts';

const PAGE_BYTES = 1024 * 1024;
const SMALLEST_STEP = 32;
const SPACE = 0x20;
/** The parts of a place. */
const [PAGE, START, LENGTH] = [0, 1, 2];

/** Where a record's bytes stand. */
export type Place = { page: number; start: number; length: number };

/**
 * Keeps JSON records as the bytes that they are on disk, one after the other in large pages: a
 * million objects would take twice the memory, and the collector's time over and over. Records are
 * numbered from 0 as they come.
 *
 * A record may be rewritten. The room of what it was is given to later rewrites of about its
 * length: one that is rewritten a million times takes about twice its room, and not a million times.
 */
export class RecordArena {
  readonly #pages: Buffer[] = [];
  #pageFilled = 0;
  /** Of each record: its page, where it begins in there, its length. */
  readonly #places = new Column(Uint32Array, 3);
  #count = 0;
  /** Places that are free again, by their length: one of `roundUp`. */
  readonly #free = new Map<number, Place[]>();

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

  /** Gives the record another text. The place of the old one stays, until it is released. */
  rewrite(number: number, json: string): void {
    this.#setPlace(number, this.write(json));
  }

  /** Keeps a text that is no record's. JSON ends where it ends: the rest of its place is spaces. */
  write(json: string): Place {
    const length = roundUp(Buffer.byteLength(json));
    const place = this.#free.get(length)?.pop() ?? this.#newPlace(length);
    const bytes = this.#pages[place.page]?.subarray(place.start, place.start + length);
    bytes?.fill(' ', bytes.write(json));
    return place;
  }

  /** Lets later texts have the place. */
  release({ page, start, length }: Place): void {
    const usable = roundDown(length);
    const alike = this.#free.get(usable);
    if (alike) alike.push({ page, start, length: usable });
    else this.#free.set(usable, [{ page, start, length: usable }]);
  }

  read<T>(number: number): T {
    return JSON.parse(this.text(number));
  }

  /** The record's JSON, with spaces behind it where its place is longer. */
  text(number: number): string {
    return this.#text(number, this.#places.get(number, LENGTH));
  }

  readAt<T>({ page, start, length }: Place): T {
    return JSON.parse(this.#pages[page]?.toString('utf8', start, start + length) ?? '');
  }

  /** How long the record's text is, without the spaces behind it. */
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

  /** Whether the record's text begins with this, which is ASCII. */
  beginsWith(number: number, text: string): boolean {
    return (
      text.length <= this.#places.get(number, LENGTH) && this.#text(number, text.length) === text
    );
  }

  #text(number: number, length: number): string {
    const start = this.#places.get(number, START);
    const page = this.#pages[this.#places.get(number, PAGE)];
    return page?.toString('utf8', start, start + length) ?? '';
  }

  #setPlace(number: number, { page, start, length }: Place): void {
    this.#places.set(number, PAGE, page);
    this.#places.set(number, START, start);
    this.#places.set(number, LENGTH, length);
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

  #number(length: number): number {
    const number = this.#count++;
    this.#setPlace(number, this.#take(length));
    return number;
  }

  #newPlace(length: number): Place {
    this.#page(length);
    return this.#take(length);
  }

  /** Of the page that `#page` has found. */
  #take(length: number): Place {
    const place = { page: this.#pages.length - 1, start: this.#pageFilled, length };
    this.#pageFilled += length;
    return place;
  }
}

/** The next length that places have which are used again: a quarter more at most. */
function roundUp(length: number): number {
  const step = stepOf(length);
  return Math.ceil(length / step) * step;
}

function roundDown(length: number): number {
  const step = stepOf(length);
  return Math.floor(length / step) * step;
}

/** A quarter of the power of two below. */
function stepOf(length: number): number {
  return Math.max(SMALLEST_STEP, 2 ** (29 - Math.clz32(length)));
}
