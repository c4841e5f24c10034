import type { FastifyRateLimitStore } from '@fastify/rate-limit';
import type { WindowState } from '../store/counters.ts';
import type { Awaitable } from '../store/store.ts';

/** At most `max` events per key in a window, which starts with its first event. */
export type LimitOptions = {
  /** Unlike that of any other limit. */
  name: string;
  max: number;
  windowMs: number;
};

export type OnState = (error: Error | null, state?: WindowState) => void;

/**
 * Where @fastify/rate-limit counts the events of one limit. `incr` counts up to the limit and then answers
 * `max + 1`, so that a rejected event counts for nobody.
 */
export interface LimitStore extends Pick<FastifyRateLimitStore, 'incr'> {
  readonly limit: LimitOptions;
  /** The state of the last part of a key, or a full one if the limit of any part is reached. */
  read(key: string, done: OnState): void;
  /** Uncounts an event, such as an attempt with the right password. */
  takeBack(key: string): Awaitable<void>;
  /** An event is not taken back any more. */
  keep(key: string): void;
}
