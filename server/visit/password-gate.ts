import type { FastifyRequest } from 'fastify';
import { createTurns } from '../../shared/keyed-mutex.ts';
import { PASSWORD_MAX_CHARACTERS } from '../../shared/limits.ts';
import { tooBusy } from '../accounts/passwords.ts';
import type { Service } from '../core/context.ts';
import { ServiceError } from '../core/service-error.ts';
import { clientAddress } from '../http/client-ip.ts';
import { WindowCounter } from '../http/window-counter.ts';
import type { Link } from '../store/store.ts';

const LINK_WINDOW_MS = 60_000;
const MAX_WRONG_PER_LINK = 5;
const CLIENT_WINDOW_MS = 60 * 60 * 1000;
const MAX_WRONG_PER_CLIENT = 30;
/** Tries of one client that wait for their turn: an office behind one address, not a flood. */
const MAX_WAITING = 32;

/** Whether the visitor knows the link's password; true where it has none. */
export type PasswordGate = (
  request: FastifyRequest,
  link: Link,
  password: unknown,
) => Promise<boolean>;

/**
 * A client's tries are checked one after the other, so that tries sent all at once are counted all
 * the same, and only wrong ones are.
 *
 * @throws ServiceError `rate_limited`, for the right password too, and `busy`
 * Source: contract, "Visiting a short link", `password`.
 */
export function createPasswordGate({ clock, passwords }: Service): PasswordGate {
  const perLink = new WindowCounter(LINK_WINDOW_MS, clock);
  const perClient = new WindowCounter(CLIENT_WINDOW_MS, clock);
  const inTurn = createTurns({ maxWaiting: MAX_WAITING, onFull: tooBusy });

  return async (request, link, password) => {
    if (link.passwordHash === null) return true;
    const client = clientAddress(request);
    const { passwordHash } = link;
    return inTurn(client, async () => {
      const linkAndClient = `${link.id} ${client}`;
      refuseTooMany(linkAndClient, client);
      if (
        isPlausible(password) &&
        (await passwords.matches(password, { id: link.id, passwordHash }))
      )
        return true;
      perLink.add(linkAndClient);
      perClient.add(client);
      return false;
    });
  };

  function refuseTooMany(linkAndClient: string, client: string): void {
    const ofLink = perLink.state(linkAndClient);
    const ofClient = perClient.state(client);
    const ttl = Math.max(
      ofLink.current >= MAX_WRONG_PER_LINK ? ofLink.ttl : 0,
      ofClient.current >= MAX_WRONG_PER_CLIENT ? ofClient.ttl : 0,
    );
    if (ttl > 0) throw tooManyTries(ttl);
  }
}

/** Not worth a hash: no link can have such a password. */
function isPlausible(password: unknown): password is string {
  return (
    typeof password === 'string' &&
    password !== '' &&
    [...password].length <= PASSWORD_MAX_CHARACTERS
  );
}

function tooManyTries(ttl: number): ServiceError {
  const retryAfterSeconds = Math.ceil(ttl / 1000);
  const minutes = Math.ceil(retryAfterSeconds / 60);
  const wait = retryAfterSeconds > 60 ? `${minutes} minutes` : `${retryAfterSeconds} seconds`;
  return new ServiceError('rate_limited', `Too many wrong passwords. Try again in ${wait}.`, {
    retryAfterSeconds,
  });
}
