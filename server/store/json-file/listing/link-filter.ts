import type { Link, LinkQuery } from '../../link.ts';
import { foldCase } from './fold-case.ts';
import { querySignature } from './signature.ts';

/** The conditions of a query. */
export class LinkFilter {
  /** For `mayMatch`; undefined if there is neither a search nor a tag. */
  readonly signature: Int32Array | undefined;
  readonly #search: string | undefined;
  readonly #tag: string | undefined;
  readonly #matches: (link: Link) => boolean;
  /** Parts of the JSON of each link that passes, in folded case. */
  readonly #parts: string[] = [];

  constructor({ search, tag, matches = () => true }: LinkQuery) {
    this.#search = search ? foldCase(search) : undefined;
    this.#tag = tag === null ? undefined : foldCase(tag);
    this.#matches = matches;
    if (this.#search !== undefined) this.#parts.push(JSON.stringify(this.#search).slice(1, -1));
    if (this.#tag !== undefined) this.#parts.push(JSON.stringify(this.#tag));
    if (this.#parts.length > 0) this.signature = querySignature(this.#search, this.#tag);
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

  #hasTag({ tags }: Link): boolean {
    return this.#tag === undefined || tags.some((tag) => foldCase(tag) === this.#tag);
  }

  #isFound({ alias, furtherAliases, title, originalUrl, tags }: Link): boolean {
    const search = this.#search;
    if (search === undefined) return true;
    const texts = [alias, ...furtherAliases, title, originalUrl, ...tags];
    return texts.some((text) => foldCase(text).includes(search));
  }
}
