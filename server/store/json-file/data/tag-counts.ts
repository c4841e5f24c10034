import type { TagCount } from '../../../../shared/links/tags.ts';
import { foldTag } from '../../../../shared/text.ts';
import type { Link } from '../../link.ts';

/** A tag as people write it: how many links have it, and how many of them are not deleted. */
type Spelling = { folded: string; links: number; listed: number };

/** A tag, whatever its spelling. */
type Tag = { spellings: number; listed: number };

/** The tags of an account's links, counted as links change: listing them looks at no link. */
export class TagCounts {
  readonly #spellings = new Map<string, Spelling>();
  /** By the folded text. */
  readonly #tags = new Map<string, Tag>();
  /** The last list, until a tag changes. */
  #listed: { limit: number; tags: TagCount[] } | undefined;

  /** How many different tags there are, also of deleted links. */
  get size(): number {
    return this.#tags.size;
  }

  /** @param folded see `foldTag` */
  has(folded: string): boolean {
    return this.#tags.has(folded);
  }

  /** @param change 1 for a link that is added, -1 for one that is removed */
  count({ tags, deletedAt }: Pick<Link, 'tags' | 'deletedAt'>, change: 1 | -1): void {
    for (const tag of tags) this.#count(tag, change, deletedAt === null ? change : 0);
    if (tags.length > 0) this.#listed = undefined;
  }

  /**
   * Returns the tags that most links have which are not deleted. Tags that differ only in case are one, in that of
   * their spellings which sorts last: `sale` rather than `Sale`.
   */
  mostUsed(limit: number): TagCount[] {
    if (this.#listed?.limit !== limit) this.#listed = { limit, tags: this.#list(limit) };
    return this.#listed.tags;
  }

  #list(limit: number): TagCount[] {
    const byUse = [...this.#tags]
      .filter(([, { listed }]) => listed > 0)
      .sort(([one, a], [other, b]) => b.listed - a.listed || (one < other ? -1 : 1))
      .slice(0, limit);
    const counts = new Map(
      byUse.map(([folded, { listed }]) => [folded, { tag: '', count: listed }]),
    );
    for (const [tag, { folded, listed }] of this.#spellings) {
      const count = counts.get(folded);
      if (count && listed > 0 && tag > count.tag) count.tag = tag;
    }
    return [...counts.values()];
  }

  #count(written: string, links: number, listed: number): void {
    const spelling = this.#spellings.get(written) ?? this.#add(written);
    const tag = this.#tags.get(spelling.folded);
    spelling.links += links;
    spelling.listed += listed;
    if (!tag) return;
    tag.listed += listed;
    if (spelling.links > 0) return;
    this.#spellings.delete(written);
    if (--tag.spellings === 0) this.#tags.delete(spelling.folded);
  }

  #add(written: string): Spelling {
    const spelling = { folded: foldTag(written), links: 0, listed: 0 };
    this.#spellings.set(written, spelling);
    const tag = this.#tags.get(spelling.folded) ?? { spellings: 0, listed: 0 };
    tag.spellings++;
    this.#tags.set(spelling.folded, tag);
    return spelling;
  }
}
