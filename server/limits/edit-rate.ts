import { MINUTE_MS } from '../lib/durations.ts';
import { ServiceError } from '../lib/service-error.ts';
import type { ClientAddress } from './client-ip.ts';
import { addressKey } from './limit-key.ts';
import type { LimitStores } from './limit-stores.ts';

/** What an account can change in a minute: enough to pause 10,000 usual links and to resume them. */
const EDIT_MAX_BYTES = 16 * 1024 * 1024;
/** Several accounts can share an address. */
const ADDRESS_FACTOR = 4;
/** A request that changes something, however little. */
const REQUEST_BYTES = 4096;
/** Hashing a password takes the time of a write of about this size. */
const PASSWORD_BYTES = 256 * 1024;

export type Editor = { account: { id: string }; address: ClientAddress };

export type EditRate = ReturnType<typeof createEditRate>;

/**
 * Limits what accounts write with edits, by its size: an edit writes its whole link, in a folder as in a
 * database. New links have limits of their own.
 *
 * @see docs/settings.md
 */
export function createEditRate(stores: LimitStores) {
  const store = stores.exchanged({ name: 'edit', max: EDIT_MAX_BYTES, windowMs: MINUTE_MS });

  /** @throws ServiceError `rate_limited` if the rate was reached before */
  function take({ account, address }: Editor, bytes: number): void {
    const key = `${addressKey(address, { factor: ADDRESS_FACTOR })} 1*${account.id}`;
    const waitMs = store.count(key, bytes);
    if (waitMs === 0) return;
    const retryAfterSeconds = Math.ceil(waitMs / 1000);
    throw new ServiceError(
      'rate_limited',
      `Too much was changed in a minute. Try again in ${retryAfterSeconds} seconds.`,
      { retryAfterSeconds },
    );
  }

  return {
    /** Counts a request that changes something. */
    takeRequest: (editor: Editor) => take(editor, REQUEST_BYTES),
    /** Counts a link that is written. */
    takeLink: take,
    takePassword: (editor: Editor) => take(editor, PASSWORD_BYTES),
  };
}
