import type { Link, LinkQuery } from '../../link.ts';
import { foldCase } from '../../records/fold-case.ts';
import { foldedTags, searchedTexts } from '../../records/searched-texts.ts';
import { pairsOf } from './ascii-pairs.ts';
import type { SearchKey } from './link-chunk.ts';
import { querySignature } from './signature.ts';

/** The conditions of a query. */
export class LinkFilter {
  /** Undefined if there is neither a search nor a tag. */
  readonly key: SearchKey | undefined;
  readonly #search: string | undefined;
  readonly #tag: string | undefined;
  readonly #matches: (link: Link) => boolean;
  /** Parts of the JSON of each link that passes, in folded case. */
  readonly #parts: string[] = [];

  constructor({
    search,
    tag,
    matches = () => true,
  }: Pick<LinkQuery, 'search' | 'tag' | 'matches'>) {
    this.#search = search ? foldCase(search) : undefined;
    this.#tag = tag === null ? undefined : foldCase(tag);
    this.#matches = matches;
    if (this.#search !== undefined) this.#parts.push(JSON.stringify(this.#search).slice(1, -1));
    if (this.#tag !== undefined) this.#parts.push(JSON.stringify(this.#tag));
    if (this.#parts.length > 0) {
      const pairs = [this.#search ?? '', this.#tag ?? ''].flatMap(pairsOf);
      this.key = { signature: querySignature(this.#search, this.#tag), pairs };
    }
  }

  /** Fast, because it does not parse the link. @param json the link in the format of `toLinkJson` */
  mayPass(json: string): boolean {
    if (this.#parts.length === 0) return true;
    const folded = foldCase(json);
    return this.#parts.every((part) => folded.includes(part));
  }

  passes(link: Link): boolean {
    return this.#hasTag(link) && this.#isFound(link) && this.#matches(link);
  }

  #hasTag(link: Link): boolean {
    return this.#tag === undefined || foldedTags(link).includes(this.#tag);
  }

  #isFound(link: Link): boolean {
    const search = this.#search;
    return search === undefined || searchedTexts(link).some((text) => text.includes(search));
  }
}
