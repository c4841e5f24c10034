import { Session } from 'node:inspector/promises';
import { constants, PerformanceObserver } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';

/** The memory of the process, for what makes the data in it larger. */
export type Memory = {
  /** Whether so much is in use that nothing may be added. */
  readonly isFull: boolean;
  /** Whether so many bytes can be used for a while. */
  hasRoomFor(bytes: number): boolean;
};

/** For a store that does not have its links in memory. */
export const ENOUGH_MEMORY: Memory = { isFull: false, hasRoomFor: () => true };

const MEBIBYTE = 1024 * 1024;
/**
 * What `heap_size_limit` has for young objects, besides the `--max-old-space-size` in which data ends up: three
 * semi-spaces of the default size.
 */
const YOUNG_BYTES = 96 * MEBIBYTE;
/** Shares of the limit. */
const WARN_SHARE = 0.7;
/** Below it, a warning can be given again. */
const CALM_SHARE = 0.65;
const FULL_SHARE = 0.85;
/** What is used for a while only may go up to here. */
const BRIEF_SHARE = 0.95;
/** Asking V8 takes longer than the other checks of a create. In this time, few MB are added. */
const HEAP_KNOWN_MS = 10;
/** A collection stops the process, for about a millisecond for each MB: not more often. */
const COLLECT_EVERY_MS = 30_000;

type Options = {
  /** Called with a sentence for the operator. */
  onWarning: (message: string) => void;
  /** Monotonic milliseconds. @default performance.now */
  clock?: () => number;
  /** @default the limit of V8 for old objects */
  limitBytes?: number;
};

/**
 * Watches how much of the heap is in use beside its limit, where Node.js ends the process.
 *
 * What `process.memoryUsage()` says includes garbage, so it is measured after each major collection, of which
 * Node.js reports the end. Between two of them, the heap can have grown by links or by garbage. If that
 * makes a difference, the last measurement counts, and a collection is asked for, at most every 30 seconds.
 */
export class HeapWatch implements Memory {
  readonly limitBytes: number;
  readonly #onWarning: (message: string) => void;
  readonly #clock: () => number;
  readonly #observer: PerformanceObserver;
  /** After the last major collection. Before the first one, all counts as in use. */
  #usedBytes = Number.POSITIVE_INFINITY;
  /** When a collection was asked for last. */
  #collectedAt = Number.NEGATIVE_INFINITY;
  #heap = 0;
  #heapAskedAt = Number.NEGATIVE_INFINITY;
  #level: 'calm' | 'warned' | 'full' = 'calm';

  constructor({ onWarning, clock = () => performance.now(), limitBytes }: Options) {
    this.#onWarning = onWarning;
    this.#clock = clock;
    this.limitBytes = limitBytes ?? getHeapStatistics().heap_size_limit - YOUNG_BYTES;
    this.#observer = new PerformanceObserver((list) => {
      if (list.getEntries().some(isMajor)) this.#measure();
    });
    this.#observer.observe({ entryTypes: ['gc'] });
  }

  /** The bytes in use, as far as that is known without a collection. */
  get usedBytes(): number {
    return Math.min(this.#usedBytes, heapBytes());
  }

  get isFull(): boolean {
    return !this.#isBelow(FULL_SHARE, 0);
  }

  hasRoomFor(bytes: number): boolean {
    return this.#isBelow(BRIEF_SHARE, bytes);
  }

  /**
   * Collects garbage, and measures what is left. Not at startup: it takes 0.2 s, and V8 makes the heap so
   * small that the next thousands of requests take longer.
   */
  async collect(): Promise<void> {
    const session = new Session();
    session.connect();
    await session.post('HeapProfiler.collectGarbage');
    session.disconnect();
    this.#measure();
  }

  close(): void {
    this.#observer.disconnect();
  }

  #isBelow(share: number, moreBytes: number): boolean {
    const bytes = share * this.limitBytes - moreBytes;
    if (this.#heapBytes() < bytes) return true;
    if (this.#clock() - this.#collectedAt >= COLLECT_EVERY_MS) {
      this.#collectedAt = this.#clock();
      void this.collect();
    }
    return this.usedBytes < bytes;
  }

  #heapBytes(): number {
    const now = this.#clock();
    if (now - this.#heapAskedAt >= HEAP_KNOWN_MS) {
      this.#heap = heapBytes();
      this.#heapAskedAt = now;
    }
    return this.#heap;
  }

  #measure(): void {
    this.#usedBytes = heapBytes();
    const share = this.#usedBytes / this.limitBytes;
    const level = share >= FULL_SHARE ? 'full' : share >= WARN_SHARE ? 'warned' : 'calm';
    if (level === 'calm') {
      if (share < CALM_SHARE) this.#level = level;
    } else if (level !== this.#level && this.#level !== 'full') {
      this.#level = level;
      this.#onWarning(this.#describe(level === 'full'));
    }
  }

  #describe(isFull: boolean): string {
    const [used, limit] = [this.#usedBytes, this.limitBytes].map((bytes) =>
      Math.round(bytes / MEBIBYTE),
    );
    const inUse = `${used} of ${limit} MiB of memory are in use`;
    const remedy =
      'Give the server more, with NODE_OPTIONS=--max-old-space-size=<MiB>, or move its links to PostgreSQL.';
    return isFull
      ? `${inUse}, so no links are added until some are deleted permanently (store_full). ${remedy}`
      : `${inUse}. From ${FULL_SHARE * 100} % on, no links are added. ${remedy}`;
  }
}

function isMajor(entry: object): boolean {
  const { kind } = (entry as { detail: { kind: number } }).detail;
  return kind === constants.NODE_PERFORMANCE_GC_MAJOR;
}

function heapBytes(): number {
  return getHeapStatistics().used_heap_size;
}
