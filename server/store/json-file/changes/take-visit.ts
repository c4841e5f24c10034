import type { ChangeContext, Undecided } from './context.ts';
import type { HitCounter } from './hit-counter.ts';

type PendingVisits = { count: number; settled: PromiseWithResolvers<void> };

/** Counts visits of links with `maxVisits` one by one, each on disk before the visitor passes. */
export class VisitTaker {
  readonly #context: ChangeContext;
  readonly #hits: HitCounter;
  /** By link number. */
  readonly #pending = new Map<number, PendingVisits>();

  constructor(context: ChangeContext, hits: HitCounter) {
    this.#context = context;
    this.#hits = hits;
  }

  /** See `Store.takeVisit`. */
  tryToTake(linkId: string): boolean | Promise<boolean> | Undecided {
    const found = this.#context.state.readLink(linkId);
    if (!found || found.link.deletedAt !== null) return false;
    const { number, link } = found;
    const pending = this.#pending.get(number);
    if (link.maxVisits !== null) {
      if (link.hits >= link.maxVisits) return false;
      // Some of the pending visits may fail.
      if (pending && link.hits + pending.count >= link.maxVisits) {
        return { decided: pending.settled.promise };
      }
    }
    return this.#take(number, linkId, pending ?? this.#addPending(number));
  }

  #addPending(number: number): PendingVisits {
    const pending = { count: 0, settled: Promise.withResolvers<void>() };
    this.#pending.set(number, pending);
    return pending;
  }

  #take(number: number, linkId: string, pending: PendingVisits): Promise<boolean> {
    const { state, commits } = this.#context;
    // Hits from before the link had a limit count, too: a crash must not take them back.
    const earlier = this.#hits.take(number);
    const members = `"hits":${JSON.stringify([[linkId, 1 + earlier]])}`;
    pending.count++;
    return new Promise((resolve, reject) => {
      commits.commit({
        change: { members, retainedBytes: 0 },
        apply: () => {
          if (!state.links.isErased(number)) state.links.addHits(number, 1);
          this.#settle(number, pending);
          resolve(true);
        },
        discard: (error) => {
          if (earlier > 0) this.#hits.count(number, linkId, earlier);
          this.#settle(number, pending);
          reject(error);
        },
      });
    });
  }

  /** Lets all who wait look again. */
  #settle(number: number, pending: PendingVisits): void {
    pending.count--;
    pending.settled.resolve();
    pending.settled = Promise.withResolvers();
    if (pending.count === 0) this.#pending.delete(number);
  }
}
