import type { VisitClass } from '../visit/visit-class.ts';

/** A visit that waits to be counted. Only people have more than the first three values. */
export type RingVisit = {
  linkId: string;
  visitClass: VisitClass;
  /** Milliseconds since the epoch. */
  time: number;
  userAgent: string | undefined;
  referrer: string | undefined;
  client: string;
  country: string | undefined;
};

/** Visits in the order in which they came. Its slots are created once and used again. */
export class VisitRing {
  readonly #slots: RingVisit[];
  #first = 0;
  #count = 0;

  constructor(capacity: number) {
    this.#slots = Array.from({ length: capacity }, newSlot);
  }

  get count(): number {
    return this.#count;
  }

  get isFull(): boolean {
    return this.#count === this.#slots.length;
  }

  /** The slot of a new visit, to be filled. There must be one left. */
  next(): RingVisit {
    const slot = this.#slots[(this.#first + this.#count) % this.#slots.length] as RingVisit;
    this.#count++;
    return slot;
  }

  /** Removes the oldest visits. @param add must not keep the object */
  drain(max: number, add: (visit: RingVisit) => void): void {
    for (let left = Math.min(max, this.#count); left > 0; left--) {
      const slot = this.#slots[this.#first] as RingVisit;
      this.#first = (this.#first + 1) % this.#slots.length;
      this.#count--;
      add(slot);
      // Neither user agents nor addresses stay in memory.
      slot.userAgent = undefined;
      slot.referrer = undefined;
      slot.client = '';
    }
  }
}

function newSlot(): RingVisit {
  return {
    linkId: '',
    visitClass: 'people',
    time: 0,
    userAgent: undefined,
    referrer: undefined,
    client: '',
    country: undefined,
  };
}
