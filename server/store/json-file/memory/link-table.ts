import type { Link } from '../../link.ts';
import { fromLinkJson, type IndexedLink, type LinkJson } from '../../records/link-json.ts';
import { LINE_OVERHEAD_BYTES } from '../files/checked-line.ts';
import { accountIdIn, positionIn } from '../listing/record-text.ts';
import { Column } from './column.ts';
import { KeyIndex } from './key-index.ts';
import { type Place, RecordArena } from './record-arena.ts';

export type FoundLink = { number: number; link: Link };

/**
 * All links, numbered in order of creation; about 270 bytes per link with a URL of 84 characters. An
 * edited link takes twice the space, and once more while its original is kept for `readOriginal`.
 */
export class LinkTable {
  readonly #records = new RecordArena();
  readonly #byAlias = new KeyIndex();
  readonly #byId = new KeyIndex();
  /** Imported links, by `importId`. */
  readonly #byImport = new KeyIndex();
  /** Separate from the records, because they change often. */
  readonly #hits = new Column(Float64Array);
  /** The originals of edited links, in the order of their first edits. */
  readonly #originals = new Map<number, { place: Place; created: number }>();
  /** When deleted links were deleted. */
  readonly #deletedAt = new Map<number, number>();
  /** A link that was just found is usually needed again by its id, to count a hit or to edit it. */
  #lastFound = { id: '', number: -1 };

  /** The next link's number: erased links count, too. */
  get count(): number {
    return this.#records.count;
  }

  /** @param json the link in the format of `toLinkJson`, as text */
  add(link: LinkJson, json: string): number {
    return this.#index(link, this.#records.add(json));
  }

  addBytes(link: IndexedLink, bytes: Buffer, start: number, end: number): number {
    return this.#index(link, this.#records.addBytes(bytes, start, end));
  }

  has(alias: string): boolean {
    return this.#find(alias, () => true) ?? false;
  }

  /** By its alias or a further one. */
  find(alias: string): FoundLink | undefined {
    return this.#find(alias, (number, text) => {
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

  /** Whether a link of the account has this `importKey`. */
  hasImportKey(accountId: string, importKey: string): boolean {
    const found = this.#byImport.find(importId({ accountId, importKey }), (number) => {
      const link = this.#records.read<LinkJson>(number);
      return (link.accountId === accountId && link.importKey === importKey) || undefined;
    });
    return found === true;
  }

  isErased(number: number): boolean {
    return this.#records.isErased(number);
  }

  hits(number: number): number {
    return this.#hits.get(number);
  }

  /** Numbers of the links that were deleted before this time. */
  deletedBefore(time: number): number[] {
    return [...this.#deletedAt].flatMap(([number, at]) => (at < time ? [number] : []));
  }

  /** Cut out of the record: those of thousands of links are read at once. */
  accountIdOf(number: number): string {
    return accountIdIn(this.#records.text(number));
  }

  read(number: number): Link {
    return fromLinkJson(this.#records.read<LinkJson>(number), this.#hits.get(number));
  }

  /** The link's JSON, without its current hits, possibly followed by spaces; empty if it was erased. */
  jsonOf(number: number): string {
    return this.#records.text(number);
  }

  /** The link as it was created, without hits, or the current link if the original was deleted. */
  readOriginal(number: number): Link {
    const original = this.#originals.get(number);
    const json = original
      ? this.#records.readAt<LinkJson>(original.place)
      : this.#records.read<LinkJson>(number);
    return fromLinkJson(json, 0);
  }

  /**
   * Replaces a link. Its number and its hits do not change.
   *
   * @param json the link in the format of `toLinkJson`, as text
   * @param keepOriginal whether `readOriginal` must still return the link as it was created
   */
  edit(number: number, link: LinkJson, json: string, keepOriginal: boolean): void {
    const text = this.#records.text(number);
    const before = aliasesIn(text);
    const after = aliasesOf(link);
    const accountId = accountIdIn(text);
    if (link.importKey != null && link.accountId !== accountId) {
      this.#byImport.remove(importId({ ...link, accountId }), number);
      this.#byImport.add(importId(link), number);
    }
    for (const alias of before) if (!after.includes(alias)) this.#byAlias.remove(alias, number);
    for (const alias of after) if (!before.includes(alias)) this.#byAlias.add(alias, number);
    this.#setDeletedAt(number, link.deletedAt);
    const place = this.#records.placeOf(number);
    if (keepOriginal && !this.#originals.has(number)) {
      this.#originals.set(number, { place, created: link.created });
    } else {
      this.#records.release(place);
    }
    this.#records.rewrite(number, json);
  }

  /** Removes a link and its content. Its number is not used again. */
  erase(number: number): void {
    const text = this.#records.text(number);
    if (text === '') return;
    const { id } = positionIn(text);
    const link: LinkJson = JSON.parse(text);
    if (link.importKey != null) this.#byImport.remove(importId(link), number);
    for (const alias of aliasesIn(text)) this.#byAlias.remove(alias, number);
    this.#byId.remove(id, number);
    if (this.#lastFound.number === number) this.#lastFound = { id: '', number: -1 };
    const original = this.#originals.get(number);
    if (original) this.#records.release(original.place);
    this.#originals.delete(number);
    this.#deletedAt.delete(number);
    this.#hits.set(number, 0, 0);
    this.#records.erase(number);
  }

  /** Stores the original of a link that was added with its edits. */
  addOriginal(number: number, original: LinkJson): void {
    const place = this.#records.write(JSON.stringify(original));
    this.#originals.set(number, { place, created: original.created });
  }

  /** @param max maximum number at once */
  deleteOriginals(isExpired: (created: number) => boolean, max: number): void {
    let left = max;
    for (const [number, { place, created }] of this.#originals) {
      if (left-- === 0 || !isExpired(created)) return;
      this.#originals.delete(number);
      this.#records.release(place);
    }
  }

  /** Size of the line that contains the link's current state. */
  lineBytes(number: number): number {
    return this.#records.lengthOf(number) + '"link":'.length + LINE_OVERHEAD_BYTES;
  }

  addHits(number: number, hits: number): void {
    this.#hits.add(number, 0, hits);
  }

  #index(link: IndexedLink, number: number): number {
    this.#byAlias.add(link.alias.toLowerCase(), number);
    for (const alias of link.furtherAliases ?? []) this.#byAlias.add(alias.toLowerCase(), number);
    this.#byId.add(link.id, number);
    if (link.importKey != null) this.#byImport.add(importId(link), number);
    if (link.deletedAt) this.#setDeletedAt(number, link.deletedAt);
    if (link.hits) this.addHits(number, link.hits);
    return number;
  }

  #setDeletedAt(number: number, deletedAt: number | null | undefined): void {
    if (typeof deletedAt === 'number') this.#deletedAt.set(number, deletedAt);
    else this.#deletedAt.delete(number);
  }

  #find<T>(alias: string, toResult: (number: number, text: string) => T): T | undefined {
    const key = alias.toLowerCase();
    return this.#byAlias.find(key, (number) => {
      const text = this.#records.text(number);
      const isFound = aliasIn(text) === key || aliasesIn(text).includes(key);
      return isFound ? toResult(number, text) : undefined;
    });
  }
}

/** No id has a space. */
function importId({ accountId, importKey }: Pick<LinkJson, 'accountId' | 'importKey'>): string {
  return `${accountId} ${importKey}`;
}

const ALIAS_MEMBER = '","alias":"';
const FURTHER_MEMBER = '"furtherAliases":[';

/** All aliases of a link, in lower case. */
function aliasesOf({ alias, furtherAliases = [] }: LinkJson): string[] {
  return [alias, ...furtherAliases].map((each) => each.toLowerCase());
}

/** The same for a link's JSON. Members' names cannot occur inside a string, as in `aliasIn`. */
function aliasesIn(text: string): string[] {
  return text.includes(FURTHER_MEMBER) ? aliasesOf(JSON.parse(text)) : [aliasIn(text)];
}

/**
 * The alias in a link's JSON, in lower case. Extracted without parsing, to be fast for links that only
 * have the same hash. The member's name cannot occur inside a string, because quotes are escaped there,
 * and an alias contains nothing to escape.
 */
function aliasIn(text: string): string {
  const start = text.indexOf(ALIAS_MEMBER) + ALIAS_MEMBER.length;
  return text.slice(start, text.indexOf('"', start)).toLowerCase();
}
