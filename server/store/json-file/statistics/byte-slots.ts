import { Column } from '../memory/column.ts';

/** Short, because most links have few visits. The last bytes of a chunk are the number of the next one. */
const CHUNK_BYTES = 64;
const NEXT = 60;
const CHUNKS_IN_PAGE_BITS = 14;
const CHUNKS_IN_PAGE = 2 ** CHUNKS_IN_PAGE_BITS;
/** The columns of a slot. */
const [FIRST, LAST, LENGTH, BASE] = [0, 1, 2, 3];

/**
 * Byte strings that grow, in chunks, so that space is never fragmented. A `Buffer` of its own for each
 * would take about 200 bytes more. Each has a base, which is replaced as a whole, and a tail, which is
 * appended to.
 */
export class ByteSlots {
  readonly #pages: Buffer[] = [];
  #chunks = 0;
  readonly #freeChunks: number[] = [];
  readonly #columns = new Column(Uint32Array, 4);
  #slots = 0;
  readonly #freeSlots: number[] = [];

  /** Of all pages. */
  get memoryBytes(): number {
    return this.#pages.length * CHUNK_BYTES * CHUNKS_IN_PAGE;
  }

  /** @returns a slot with an empty byte string */
  create(): number {
    const slot = this.#freeSlots.pop() ?? this.#slots++;
    this.#start(slot);
    return slot;
  }

  remove(slot: number): void {
    this.#release(slot);
    this.#freeSlots.push(slot);
  }

  /** Base and tail. */
  read(slot: number): Buffer {
    const bytes = Buffer.allocUnsafe(this.#columns.get(slot, LENGTH));
    let chunk = this.#columns.get(slot, FIRST);
    for (let at = 0; at < bytes.length; at += NEXT) {
      const [page, start] = this.#place(chunk);
      page.copy(bytes, at, start, start + Math.min(NEXT, bytes.length - at));
      chunk = page.readUInt32LE(start + NEXT);
    }
    return bytes;
  }

  baseLength(slot: number): number {
    return this.#columns.get(slot, BASE);
  }

  tailLength(slot: number): number {
    return this.#columns.get(slot, LENGTH) - this.#columns.get(slot, BASE);
  }

  append(slot: number, bytes: Buffer): void {
    let length = this.#columns.get(slot, LENGTH);
    for (let at = 0; at < bytes.length; ) {
      const filled = length % NEXT;
      if (filled === 0 && length > 0) this.#addChunk(slot);
      const [page, start] = this.#place(this.#columns.get(slot, LAST));
      const written = bytes.copy(page, start + filled, at, at + NEXT - filled);
      at += written;
      length += written;
    }
    this.#columns.set(slot, LENGTH, length);
  }

  /** Replaces base and tail by a base. */
  replace(slot: number, bytes: Buffer): void {
    this.#release(slot);
    this.#start(slot);
    this.append(slot, bytes);
    this.#columns.set(slot, BASE, bytes.length);
  }

  #start(slot: number): void {
    const chunk = this.#takeChunk();
    this.#columns.set(slot, FIRST, chunk);
    this.#columns.set(slot, LAST, chunk);
    this.#columns.set(slot, LENGTH, 0);
    this.#columns.set(slot, BASE, 0);
  }

  #addChunk(slot: number): void {
    const next = this.#takeChunk();
    const [page, start] = this.#place(this.#columns.get(slot, LAST));
    page.writeUInt32LE(next, start + NEXT);
    this.#columns.set(slot, LAST, next);
  }

  /** Overwrites the chunks, so that erased statistics are in no memory dump. */
  #release(slot: number): void {
    const last = this.#columns.get(slot, LAST);
    for (let chunk = this.#columns.get(slot, FIRST); ; ) {
      const [page, start] = this.#place(chunk);
      const next = page.readUInt32LE(start + NEXT);
      page.fill(0, start, start + CHUNK_BYTES);
      this.#freeChunks.push(chunk);
      if (chunk === last) return;
      chunk = next;
    }
  }

  #takeChunk(): number {
    const free = this.#freeChunks.pop();
    if (free !== undefined) return free;
    const chunk = this.#chunks++;
    if (chunk % CHUNKS_IN_PAGE === 0) this.#pages.push(Buffer.alloc(CHUNK_BYTES * CHUNKS_IN_PAGE));
    return chunk;
  }

  #place(chunk: number): [page: Buffer, start: number] {
    const page = this.#pages[chunk >>> CHUNKS_IN_PAGE_BITS] as Buffer;
    return [page, (chunk % CHUNKS_IN_PAGE) * CHUNK_BYTES];
  }
}
