import type { Service } from '../core/context.ts';
import { AddressLimit } from '../http/address-limit.ts';
import { UnnamedProxy } from '../http/unnamed-proxy.ts';

const WINDOW_MS = 60_000;

/**
 * What keeps a client from trying out aliases: `UNKNOWN_PER_MINUTE` unknown ones, and then it is
 * refused known ones, too, since those would still stand out.
 *
 * Source: contract, "Limits".
 */
export class UnknownThrottle {
  /** Look-ups of unknown aliases, and such as are under way. */
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
