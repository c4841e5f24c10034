import type { Link } from '../store.ts';
import { KeyIndex } from './key-index.ts';
import { fromLinkJson, type LinkJson } from './link-json.ts';
import { doubled, RecordArena } from './record-arena.ts';

const FIRST_CAPACITY = 1024;

export type FoundLink = { number: number; link: Link };

/** All links, numbered in the order in which they were made: about 270 bytes each for a URL of 84. */
export class LinkTable {
  readonly #records = new RecordArena();
  readonly #byAlias = new KeyIndex();
  readonly #byId = new KeyIndex();
  /** Apart from the records, since they are what changes. */
  #hits = new Float64Array(FIRST_CAPACITY);

  get count(): number {
    return this.#records.count;
  }

  /** @param json what `toLinkJson` makes of it, as text */
  add(link: LinkJson, json: string): number {
    return this.#index(link, this.#records.add(json));
  }

  addBytes(link: LinkJson, bytes: Buffer, start: number, end: number): number {
    return this.#index(link, this.#records.addBytes(bytes, start, end));
  }

  has(alias: string): boolean {
    return this.find(alias) !== undefined;
  }

  find(alias: string): FoundLink | undefined {
    const key = alias.toLowerCase();
    return this.#byAlias.find(key, (number) => {
      const link = this.read(number);
      return link.alias.toLowerCase() === key ? { number, link } : undefined;
    });
  }

  numberOf(id: string): number | undefined {
    const beginning = `{"id":${JSON.stringify(id)},`;
    return this.#byId.find(id, (number) =>
      this.#records.beginsWith(number, beginning) ? number : undefined,
    );
  }

  read(number: number): Link {
    return fromLinkJson(this.#records.read<LinkJson>(number), this.#hits[number] ?? 0);
  }

  addHits(number: number, hits: number): void {
    this.#hits[number] = (this.#hits[number] ?? 0) + hits;
  }

  #index(link: LinkJson, number: number): number {
    this.#byAlias.add(link.alias.toLowerCase(), number);
    this.#byId.add(link.id, number);
    if (number === this.#hits.length) this.#hits = doubled(this.#hits);
    this.#hits[number] = link.hits ?? 0;
    return number;
  }
}
