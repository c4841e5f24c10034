import { fillUnknown, isUnknown, mayMatch, SIGNATURE_WORDS } from './signature.ts';

/** Small enough to insert into the middle of a chunk at any time. */
const MAX_LINKS = 512;
const GROWTH = 32;

/** Some consecutive links of an order: their numbers, times of creation and, once searched, signatures. */
export class LinkChunk {
  #count = 0;
  #numbers = new Uint32Array(GROWTH);
  #created = new Float64Array(GROWTH);
  #signatures: Int32Array | undefined;

  get count(): number {
    return this.#count;
  }

  get isFull(): boolean {
    return this.#count === MAX_LINKS;
  }

  number(at: number): number {
    return this.#numbers[at] ?? 0;
  }

  created(at: number): number {
    return this.#created[at] ?? 0;
  }

  mayMatch(at: number, query: Int32Array): boolean {
    return !this.#signatures || mayMatch(this.#signatures, at * SIGNATURE_WORDS, query);
  }

  /** @param write called if the link's signature is unknown, to write it */
  ensureSignature(at: number, write: (signatures: Int32Array, start: number) => void): void {
    if (!this.#signatures) {
      this.#signatures = new Int32Array(this.#numbers.length * SIGNATURE_WORDS);
      fillUnknown(this.#signatures, 0, this.#signatures.length);
    }
    const start = at * SIGNATURE_WORDS;
    if (isUnknown(this.#signatures, start)) write(this.#signatures, start);
  }

  forgetSignature(at: number): void {
    const start = at * SIGNATURE_WORDS;
    if (this.#signatures) fillUnknown(this.#signatures, start, start + SIGNATURE_WORDS);
  }

  insert(at: number, number: number, created: number): void {
    if (this.#count === this.#numbers.length) this.#resize(this.#count + GROWTH);
    this.#move(at, at + 1);
    this.#count++;
    this.#numbers[at] = number;
    this.#created[at] = created;
    this.forgetSignature(at);
  }

  remove(at: number): void {
    this.#move(at + 1, at);
    this.#count--;
    if (this.#count + 2 * GROWTH <= this.#numbers.length) this.#resize(this.#count + GROWTH);
  }

  /** Moves the second half to a new chunk, which comes after this one. */
  split(): LinkChunk {
    const half = this.#count >>> 1;
    const second = new LinkChunk();
    second.#count = this.#count - half;
    second.#numbers = this.#numbers.slice(half);
    second.#created = this.#created.slice(half);
    second.#signatures = this.#signatures?.slice(half * SIGNATURE_WORDS);
    this.#count = half;
    this.#resize(half + GROWTH);
    return second;
  }

  #move(from: number, to: number): void {
    this.#numbers.copyWithin(to, from, this.#count);
    this.#created.copyWithin(to, from, this.#count);
    const end = this.#count * SIGNATURE_WORDS;
    this.#signatures?.copyWithin(to * SIGNATURE_WORDS, from * SIGNATURE_WORDS, end);
  }

  #resize(capacity: number): void {
    const [numbers, created, signatures] = [this.#numbers, this.#created, this.#signatures];
    this.#numbers = new Uint32Array(capacity);
    this.#numbers.set(numbers.subarray(0, this.#count));
    this.#created = new Float64Array(capacity);
    this.#created.set(created.subarray(0, this.#count));
    if (!signatures) return;
    this.#signatures = new Int32Array(capacity * SIGNATURE_WORDS);
    this.#signatures.set(signatures.subarray(0, this.#count * SIGNATURE_WORDS));
  }
}
