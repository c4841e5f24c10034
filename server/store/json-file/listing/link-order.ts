import type { LinkPosition } from '../../link.ts';
import { LinkChunk, type SearchKey } from './link-chunk.ts';
import { positionIn } from './record-text.ts';

export type ScanOptions = {
  /** Only links after this one; null for all. */
  after: LinkPosition | null;
  /** Undefined for all links. */
  key: SearchKey | undefined;
  /** @returns whether to continue */
  visit: (number: number, json: string) => boolean;
  mustPause: () => boolean;
};

/**
 * The numbers of an account's links, newest first, in chunks: adding or removing one takes a few
 * microseconds wherever it is, and growing never copies everything. Up to 50 bytes per link once it was
 * searched, 15 before.
 */
export class LinkOrder {
  readonly #chunks: LinkChunk[] = [];
  readonly #jsonOf: (number: number) => string;

  /** @param jsonOf the JSON of the link with this number; empty if it was erased */
  constructor(jsonOf: (number: number) => string) {
    this.#jsonOf = jsonOf;
  }

  add(number: number, position: LinkPosition): void {
    let [index, at] = this.#firstAfter(position);
    const before = this.#chunks[index - 1];
    // Otherwise, links that are added one before the other would get a chunk each.
    if (at === 0 && before && !before.isFull) [index, at] = [index - 1, before.count];
    let chunk = this.#chunks[index];
    if (chunk?.isFull && at > 0) {
      const second = chunk.split();
      this.#chunks.splice(index + 1, 0, second);
      if (at > chunk.count) [chunk, at] = [second, at - chunk.count];
    }
    if (!chunk || chunk.isFull) {
      chunk = new LinkChunk();
      this.#chunks.splice(index, 0, chunk);
    }
    chunk.insert(at, number, position.created);
  }

  remove(number: number, position: LinkPosition): void {
    const place = this.#find(number, position);
    if (!place) return;
    const [index, at] = place;
    this.#chunks[index]?.remove(at);
    if (this.#chunks[index]?.count === 0) this.#chunks.splice(index, 1);
  }

  /** To be called when the link's texts have changed. */
  forgetSignature(number: number, position: LinkPosition): void {
    const place = this.#find(number, position);
    if (place) this.#chunks[place[0]]?.forgetSignature(place[1]);
  }

  /**
   * Visits links in their order until `visit` returns false or the work must pause.
   *
   * @returns where to continue after a pause; null if the scan is complete
   */
  scan({ after, key, visit, mustPause }: ScanOptions): LinkPosition | null {
    let [index, at] = after ? this.#firstAfter(after) : [0, 0];
    for (; index < this.#chunks.length; index++, at = 0) {
      const chunk = this.#chunks[index] as LinkChunk;
      if (key && !chunk.mayHave(key)) continue;
      for (; at < chunk.count; at++) {
        if (key && !chunk.mayMatch(at, key)) continue;
        const number = chunk.number(at);
        const json = this.#jsonOf(number);
        if (json === '') continue;
        if (key) {
          chunk.ensureSignature(at, json);
          if (!chunk.mayMatch(at, key)) continue;
        }
        if (!visit(number, json)) return null;
        if (mustPause()) return this.#position(chunk, at);
      }
      if (mustPause()) return this.#position(chunk, chunk.count - 1);
    }
    return null;
  }

  /** @returns chunk and place in the chunk of the first link that comes after a position */
  #firstAfter(position: LinkPosition): [index: number, at: number] {
    const index = firstIndex(this.#chunks.length, (index) => {
      const chunk = this.#chunks[index] as LinkChunk;
      return this.#isAfter(chunk, chunk.count - 1, position);
    });
    const chunk = this.#chunks[index];
    if (!chunk) return [index, 0];
    return [index, firstIndex(chunk.count, (at) => this.#isAfter(chunk, at, position))];
  }

  #find(number: number, position: LinkPosition): [index: number, at: number] | undefined {
    let [index, at] = this.#firstAfter(position);
    if (at === 0) at = this.#chunks[--index]?.count ?? 0;
    return this.#chunks[index]?.number(at - 1) === number ? [index, at - 1] : undefined;
  }

  #isAfter(chunk: LinkChunk, at: number, { created, id }: LinkPosition): boolean {
    const other = chunk.created(at);
    if (other !== created) return other < created;
    return this.#position(chunk, at).id < id;
  }

  #position(chunk: LinkChunk, at: number): LinkPosition {
    return { created: chunk.created(at), id: positionIn(this.#jsonOf(chunk.number(at))).id };
  }
}

/** @returns the first index for which `test` is true; it must be true for all after that one, too */
function firstIndex(count: number, test: (index: number) => boolean): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (test(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
