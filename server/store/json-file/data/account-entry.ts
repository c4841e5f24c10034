import type { Account, Token } from '../../account.ts';
import type { Link } from '../../link.ts';
import type { LinkPosition } from '../../link-calls.ts';
import { TagCounts } from './tag-counts.ts';

/** An account with what belongs to it. */
export class AccountEntry {
  readonly id: string;
  /** In the order in which accounts were added. */
  readonly index: number;
  /** Undefined if only links name it. */
  account: Account | undefined;
  readonly links = new LinkOrder();
  /** Oldest first. */
  tokens: readonly Token[] = [];
  /** How many links have each; most accounts have none. A link that is moved here may share one. */
  #importKeys: Map<string, number> | undefined;
  /** Undefined until a link has one. */
  #tags: TagCounts | undefined;

  constructor(id: string, index: number) {
    this.id = id;
    this.index = index;
  }

  get tags(): TagCounts | undefined {
    return this.#tags;
  }

  addLink(link: Link): void {
    this.links.add(link);
    this.#countImportKey(link, 1);
    this.#countTags(link, 1);
  }

  removeLink(link: Link): void {
    this.links.remove(link);
    this.#countImportKey(link, -1);
    this.#countTags(link, -1);
  }

  /** Replaces a link of the account by its edited copy. */
  replaceLink(before: Link, link: Link): void {
    this.links.replace(link);
    // In this order, so that a tag which stays keeps its place.
    this.#countTags(link, 1);
    this.#countTags(before, -1);
  }

  hasImportKey(importKey: string): boolean {
    return this.#importKeys?.has(importKey) ?? false;
  }

  #countTags(link: Link, change: 1 | -1): void {
    if (link.tags.length === 0) return;
    this.#tags ??= new TagCounts();
    this.#tags.count(link, change);
  }

  #countImportKey({ importKey }: Link, change: 1 | -1): void {
    if (importKey === null) return;
    this.#importKeys ??= new Map();
    const count = (this.#importKeys.get(importKey) ?? 0) + change;
    if (count > 0) this.#importKeys.set(importKey, count);
    else this.#importKeys.delete(importKey);
  }
}

/** Adding to or removing from a longer array would move too much. */
const CHUNK_MAX = 2048;

/** Links by the time of their creation, then by id. */
export class LinkOrder {
  /** No chunk is empty. */
  readonly #chunks: Link[][] = [];
  #count = 0;
  #deletedCount = 0;

  get count(): number {
    return this.#count;
  }

  /** How many of them are deleted, but can be restored. */
  get deletedCount(): number {
    return this.#deletedCount;
  }

  add(link: Link): void {
    this.#count++;
    this.#deletedCount += deletions(link);
    const last = this.#chunks.at(-1);
    const newest = last?.at(-1);
    if (last && newest && last.length < CHUNK_MAX && isBefore(newest, link)) {
      last.push(link);
      return;
    }
    // Of a full last chunk nothing has to move.
    if (!newest || isBefore(newest, link)) {
      this.#chunks.push([link]);
      return;
    }
    const index = this.#chunkOf(link);
    const chunk = this.#chunks[index] as Link[];
    chunk.splice(indexIn(chunk, link), 0, link);
    if (chunk.length > CHUNK_MAX) this.#chunks.splice(index + 1, 0, chunk.splice(CHUNK_MAX / 2));
  }

  remove(link: LinkPosition): void {
    const index = this.#chunkOf(link);
    const chunk = this.#chunks[index];
    if (!chunk) return;
    const at = indexIn(chunk, link);
    const removed = chunk[at];
    if (removed?.id !== link.id) return;
    this.#count--;
    this.#deletedCount -= deletions(removed);
    if (chunk.length === 1) this.#chunks.splice(index, 1);
    else chunk.splice(at, 1);
  }

  /** Replaces the link with the same id, which was created at the same time. */
  replace(link: Link): void {
    const chunk = this.#chunks[this.#chunkOf(link)];
    if (!chunk) return;
    const at = indexIn(chunk, link);
    this.#deletedCount += deletions(link) - deletions(chunk[at] as Link);
    chunk[at] = link;
  }

  /** The newest links, or fewer. They can be removed while the array is read. */
  newest(count: number): Link[] {
    return this.#chunks.at(-1)?.slice(-count) ?? [];
  }

  /**
   * Links from the newest one on. Links may be added and removed only while nothing iterates.
   *
   * @param before only links before this one in the order of creation, which need not exist any more
   */
  *newestFirst(before: LinkPosition | null): Generator<Link> {
    const last = before ? this.#chunkOf(before) : this.#chunks.length - 1;
    for (let index = last; index >= 0; index--) {
      const chunk = this.#chunks[index];
      if (!chunk) return;
      let at = before && index === last ? indexIn(chunk, before) : chunk.length;
      while (at-- > 0) yield chunk[at] as Link;
    }
  }

  /** The chunk that has the position: the last one that doesn't begin after it, or the first one. */
  #chunkOf(position: LinkPosition): number {
    const chunks = this.#chunks;
    const next = firstIndex(chunks.length, (at) => isBefore(position, chunks[at]?.[0] as Link));
    return Math.max(0, next - 1);
  }
}

function deletions({ deletedAt }: Link): 0 | 1 {
  return deletedAt === null ? 0 : 1;
}

/** The index of the first link that is not before the position. */
function indexIn(chunk: readonly Link[], position: LinkPosition): number {
  return firstIndex(chunk.length, (at) => !isBefore(chunk[at] as Link, position));
}

function isBefore(link: LinkPosition, other: LinkPosition): boolean {
  return link.created === other.created ? link.id < other.id : link.created < other.created;
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
