import type { TagCount } from '../../../../shared/links/tags.ts';
import { foldTag } from '../../../../shared/text.ts';
import type { Link } from '../../link.ts';
import { mostUsedTags } from '../../lists/link-page.ts';

/** How many links have a tag, and how many of them are not deleted. */
type Count = { links: number; listed: number };

/** The tags of an account's links, counted as links change: listing them looks at no link. */
export class TagCounts {
  /** By spelling. */
  readonly #counts = new Map<string, Count>();
  /** How many spellings each tag has, by its folded text. */
  readonly #spellings = new Map<string, number>();
  /** The last list, until a tag changes. */
  #listed: { limit: number; tags: TagCount[] } | undefined;

  /** How many different tags there are, also of deleted links. */
  get size(): number {
    return this.#spellings.size;
  }

  /** @param folded see `foldTag` */
  has(folded: string): boolean {
    return this.#spellings.has(folded);
  }

  /** @param change 1 for a link that is added, -1 for one that is removed */
  count({ tags, deletedAt }: Pick<Link, 'tags' | 'deletedAt'>, change: 1 | -1): void {
    for (const tag of tags) this.#count(tag, change, deletedAt === null ? change : 0);
    if (tags.length > 0) this.#listed = undefined;
  }

  /** Returns the most used tags of links that are not deleted. */
  mostUsed(limit: number): TagCount[] {
    if (this.#listed?.limit !== limit) {
      const counts = new Map<string, number>();
      for (const [tag, { listed }] of this.#counts) if (listed > 0) counts.set(tag, listed);
      this.#listed = { limit, tags: mostUsedTags(counts, limit) };
    }
    return this.#listed.tags;
  }

  #count(tag: string, links: number, listed: number): void {
    let count = this.#counts.get(tag);
    if (!count) {
      count = { links: 0, listed: 0 };
      this.#counts.set(tag, count);
      this.#countSpelling(tag, 1);
    }
    count.links += links;
    count.listed += listed;
    if (count.links > 0) return;
    this.#counts.delete(tag);
    this.#countSpelling(tag, -1);
  }

  #countSpelling(tag: string, change: 1 | -1): void {
    const folded = foldTag(tag);
    const count = (this.#spellings.get(folded) ?? 0) + change;
    if (count > 0) this.#spellings.set(folded, count);
    else this.#spellings.delete(folded);
  }
}
