import type { Service } from '../core/context.ts';
import { AddressLimit } from '../http/limits/address-limit.ts';
import { UnnamedProxy } from '../http/limits/unnamed-proxy.ts';

const WINDOW_MS = 60_000;

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

  constructor({ settings, monotonicClock }: Pick<Service, 'settings' | 'monotonicClock'>) {
    this.lookUps = new AddressLimit({
      max: settings.unknownPerMinute,
      windowMs: WINDOW_MS,
      clock: monotonicClock,
    });
  }
}
