import type { Link } from '../store.ts';
import { LINE_OVERHEAD_BYTES } from './checked-line.ts';
import { Column } from './column.ts';
import { KeyIndex } from './key-index.ts';
import { fromLinkJson, type LinkJson } from './link-json.ts';
import { type Place, RecordArena } from './record-arena.ts';

export type FoundLink = { number: number; link: Link };

/**
 * All links, numbered in the order in which they were made: about 270 bytes each for a URL of 84.
 * One that was edited takes twice its record's room, and once more while `readFirst` knows it.
 */
export class LinkTable {
  readonly #records = new RecordArena();
  readonly #byAlias = new KeyIndex();
  readonly #byId = new KeyIndex();
  /** Apart from the records, since they are what changes. */
  readonly #hits = new Column(Float64Array);
  /** Of edited links, in the order of their first edits: how they were made, and when. */
  readonly #firsts = new Map<number, { place: Place; created: number }>();
  /** What is found is asked for next, by its id: to count a visit, or to edit. */
  #lastFound = { id: '', number: -1 };

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
    const key = alias.toLowerCase();
    const found = this.#byAlias.find(
      key,
      (number) => aliasIn(this.#records.text(number)) === key || undefined,
    );
    return found !== undefined;
  }

  find(alias: string): FoundLink | undefined {
    const key = alias.toLowerCase();
    return this.#byAlias.find(key, (number) => {
      const text = this.#records.text(number);
      if (aliasIn(text) !== key) return undefined;
      const link = fromLinkJson(JSON.parse(text), this.#hits.get(number));
      this.#lastFound = { id: link.id, number };
      return { number, link };
    });
  }

  numberOf(id: string): number | undefined {
    if (id === this.#lastFound.id) return this.#lastFound.number;
    const beginning = `{"id":${JSON.stringify(id)},`;
    return this.#byId.find(id, (number) =>
      this.#records.beginsWith(number, beginning) ? number : undefined,
    );
  }

  /** Cut out of the record: hits of thousands of links are written at once. */
  idOf(number: number): string {
    const text = this.#records.text(number);
    return JSON.parse(text.slice(ID_MEMBER.length, text.indexOf(ALIAS_MEMBER) + 1));
  }

  read(number: number): Link {
    return fromLinkJson(this.#records.read<LinkJson>(number), this.#hits.get(number));
  }

  /** The link as it was when it was made, with no hits; as it is now, once that is forgotten. */
  readFirst(number: number): Link {
    const first = this.#firsts.get(number);
    const json = first
      ? this.#records.readAt<LinkJson>(first.place)
      : this.#records.read<LinkJson>(number);
    return fromLinkJson(json, 0);
  }

  /**
   * Puts a link in the place of what it was. Its number and its hits stay.
   *
   * @param json what `toLinkJson` makes of it, as text
   * @param isFirstKept whether `readFirst` is still to say how it was made
   */
  edit(number: number, link: LinkJson, json: string, isFirstKept: boolean): void {
    const before = this.read(number).alias.toLowerCase();
    const alias = link.alias.toLowerCase();
    if (alias !== before) {
      this.#byAlias.remove(before, number);
      this.#byAlias.add(alias, number);
    }
    const place = this.#records.placeOf(number);
    if (isFirstKept && !this.#firsts.has(number)) {
      this.#firsts.set(number, { place, created: link.created });
    } else {
      this.#records.release(place);
    }
    this.#records.rewrite(number, json);
  }

  /** Keeps how a link was made that was added as it became. */
  addFirst(number: number, first: LinkJson): void {
    const place = this.#records.write(JSON.stringify(first));
    this.#firsts.set(number, { place, created: first.created });
  }

  /** @param most how many at once */
  forgetFirsts(isOver: (created: number) => boolean, most: number): void {
    let left = most;
    for (const [number, { place, created }] of this.#firsts) {
      if (left-- === 0 || !isOver(created)) return;
      this.#firsts.delete(number);
      this.#records.release(place);
    }
  }

  /** How many bytes of a file say what the link is now. */
  lineBytes(number: number): number {
    return this.#records.lengthOf(number) + '"link":'.length + LINE_OVERHEAD_BYTES;
  }

  addHits(number: number, hits: number): void {
    this.#hits.add(number, 0, hits);
  }

  #index(link: LinkJson, number: number): number {
    this.#byAlias.add(link.alias.toLowerCase(), number);
    this.#byId.add(link.id, number);
    if (link.hits) this.addHits(number, link.hits);
    return number;
  }
}

const ID_MEMBER = '{"id":';
const ALIAS_MEMBER = '","alias":"';

/**
 * The alias in a link's text, in lower case. Cut out rather than parsed: a text whose alias only has
 * the same hash is not worth the time. No string's content looks like the member's name, since
 * quotes in there are escaped; an alias has nothing to escape.
 */
function aliasIn(text: string): string {
  const start = text.indexOf(ALIAS_MEMBER) + ALIAS_MEMBER.length;
  return text.slice(start, text.indexOf('"', start)).toLowerCase();
}
