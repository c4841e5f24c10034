import type { LinkJson } from '../../records/link-json.ts';
import { foldedTags, searchedTexts } from '../../records/searched-texts.ts';
import { addPairs, hasPairs, PAIR_WORDS } from './ascii-pairs.ts';
import { fillUnknown, isUnknown, mayMatch, SIGNATURE_WORDS, writeSignature } from './signature.ts';

/** Small enough to insert into the middle of a chunk at any time. */
const MAX_LINKS = 512;
const GROWTH = 32;

/** What a link must have to match a query; both are necessary and not sufficient. */
export type SearchKey = {
  signature: Int32Array;
  /** See `pairsOf`. */
  pairs: number[];
};

/** Some consecutive links of an order: their numbers, times of creation and, once searched, signatures. */
export class LinkChunk {
  #count = 0;
  #numbers = new Uint32Array(GROWTH);
  #created = new Float64Array(GROWTH);
  #signatures: Int32Array | undefined;
  /** How many of the signatures are unknown. */
  #unknown = 0;
  /** Of all links whose signatures are known, and of some that are gone. */
  #pairs: Int32Array | undefined;

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

  /** Whether any link of the chunk may match. Short searches that nothing matches would be slow without it. */
  mayHave({ pairs }: SearchKey): boolean {
    return !this.#pairs || this.#unknown > 0 || hasPairs(this.#pairs, pairs);
  }

  mayMatch(at: number, { signature }: SearchKey): boolean {
    return !this.#signatures || mayMatch(this.#signatures, at * SIGNATURE_WORDS, signature);
  }

  /** Writes the link's signature if it is unknown. @param json the link in the format of `toLinkJson` */
  ensureSignature(at: number, json: string): void {
    if (!this.#signatures) {
      this.#signatures = new Int32Array(this.#numbers.length * SIGNATURE_WORDS);
      fillUnknown(this.#signatures, 0, this.#signatures.length);
    }
    this.#pairs ??= new Int32Array(PAIR_WORDS);
    if (!this.#isUnknown(at)) return;
    const link: LinkJson = JSON.parse(json);
    const texts = searchedTexts(link);
    writeSignature(texts, foldedTags(link), this.#signatures, at * SIGNATURE_WORDS);
    for (const text of texts) addPairs(text, this.#pairs);
    this.#unknown--;
  }

  forgetSignature(at: number): void {
    if (!this.#signatures || this.#isUnknown(at)) return;
    fillUnknown(this.#signatures, at * SIGNATURE_WORDS, (at + 1) * SIGNATURE_WORDS);
    this.#unknown++;
  }

  insert(at: number, number: number, created: number): void {
    if (this.#count === this.#numbers.length) this.#resize(this.#count + GROWTH);
    this.#move(at, at + 1);
    this.#count++;
    this.#numbers[at] = number;
    this.#created[at] = created;
    const start = at * SIGNATURE_WORDS;
    if (this.#signatures) fillUnknown(this.#signatures, start, start + SIGNATURE_WORDS);
    this.#unknown++;
  }

  remove(at: number): void {
    if (this.#isUnknown(at)) this.#unknown--;
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
    second.#pairs = this.#pairs?.slice();
    second.#unknown = second.#countUnknown();
    this.#count = half;
    this.#unknown -= second.#unknown;
    this.#resize(half + GROWTH);
    return second;
  }

  #isUnknown(at: number): boolean {
    return !this.#signatures || isUnknown(this.#signatures, at * SIGNATURE_WORDS);
  }

  #countUnknown(): number {
    let unknown = 0;
    for (let at = 0; at < this.#count; at++) if (this.#isUnknown(at)) unknown++;
    return unknown;
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
