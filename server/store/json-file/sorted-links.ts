import type { Link, LinkPosition } from '../link.ts';
import type { Place } from '../records/link-page.ts';

/** Collects the first links after a position, in the order of keys that are known only link by link. */
export class SortedLinks {
  readonly #max: number;
  readonly #after: LinkPosition | null;
  readonly #compare: (one: LinkPosition, other: LinkPosition) => number;
  #places: Place[] = [];
  /** Nothing after it can be among the first ones. */
  #last: Place | undefined;

  constructor(max: number, after: LinkPosition | null, isAscending: boolean) {
    this.#max = max;
    this.#after = after;
    this.#compare = isAscending
      ? (one, other) => compareKeys(one, other) || newestFirst(one, other)
      : (one, other) => compareKeys(other, one) || newestFirst(one, other);
  }

  add(link: Link, key: number | string): void {
    const place = { key, created: link.created, id: link.id, link };
    if (this.#after && this.#compare(place, this.#after) <= 0) return;
    if (this.#last && this.#compare(place, this.#last) > 0) return;
    // Sorting now and then takes less time than finding a place for each link.
    if (this.#places.push(place) === 2 * this.#max) this.#sort();
  }

  first(): Place[] {
    this.#sort();
    return this.#places;
  }

  #sort(): void {
    this.#places = this.#places.sort(this.#compare).slice(0, this.#max);
    this.#last = this.#places[this.#max - 1];
  }
}

function compareKeys({ key: one = 0 }: LinkPosition, { key: other = 0 }: LinkPosition): number {
  return one === other ? 0 : one < other ? -1 : 1;
}

function newestFirst(one: LinkPosition, other: LinkPosition): number {
  if (one.created !== other.created) return other.created - one.created;
  return one.id === other.id ? 0 : one.id < other.id ? 1 : -1;
}
