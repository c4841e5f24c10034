import type { Service } from '../core/context.ts';
import { MINUTE_MS } from '../core/durations.ts';
import { AddressLimit } from '../http/limits/address-limit.ts';
import { UnnamedProxy } from '../http/limits/unnamed-proxy.ts';

/**
 * Keeps a client from guessing aliases. After `UNKNOWN_PER_MINUTE` unknown ones, known ones are
 * rejected too, because they would otherwise stand out.
 *
 * Source: docs/api.md, "Limits".
 */
export class UnknownThrottle {
  /** Look-ups of unknown aliases, including pending ones. */
  readonly lookUps: AddressLimit;
  readonly proxy = new UnnamedProxy();

  constructor({
    settings,
    monotonicClock: clock,
    events,
  }: Pick<Service, 'settings' | 'monotonicClock' | 'events'>) {
    const limit = { name: 'unknown', max: settings.unknownPerMinute, windowMs: MINUTE_MS };
    this.lookUps = new AddressLimit(limit, { clock, events });
  }
}
