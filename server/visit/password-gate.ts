import type { FastifyRequest } from 'fastify';
import { PASSWORD_MAX_CHARACTERS } from '../../shared/limits.ts';
import { clientAddress } from '../client-address.ts';
import type { Service } from '../service.ts';
import { ServiceError } from '../service-error.ts';
import type { Link } from '../store/store.ts';
import { WindowCounter } from '../window-counter.ts';

const LINK_WINDOW_MS = 60_000;
const MAX_WRONG_PER_LINK = 5;
const CLIENT_WINDOW_MS = 60 * 60 * 1000;
const MAX_WRONG_PER_CLIENT = 30;

/** Whether the visitor knows the link's password; true where it has none. */
export type PasswordGate = (
  request: FastifyRequest,
  link: Link,
  password: unknown,
) => Promise<boolean>;

/**
 * Each try takes its place in the counters before it is checked, so that tries sent all at once
 * are counted all the same; whatever was not a wrong password gives the place back.
 *
 * @throws ServiceError `rate_limited`, for the right password too, and `busy`
 * Source: contract, "Visiting a short link", `password`.
 */
export function createPasswordGate({ clock, passwords }: Service): PasswordGate {
  const perLink = new WindowCounter(LINK_WINDOW_MS, clock);
  const perClient = new WindowCounter(CLIENT_WINDOW_MS, clock);

  return async (request, link, password) => {
    if (link.passwordHash === null) return true;
    const client = clientAddress(request);
    const linkAndClient = `${link.id} ${client}`;
    const ofLink = perLink.add(linkAndClient);
    const ofClient = perClient.add(client);

    let isWrong = false;
    try {
      const ttl = Math.max(
        ofLink.current > MAX_WRONG_PER_LINK ? ofLink.ttl : 0,
        ofClient.current > MAX_WRONG_PER_CLIENT ? ofClient.ttl : 0,
      );
      if (ttl > 0) throw tooManyTries(ttl);
      isWrong = !isPlausible(password) || !(await passwords.matches(password, link.passwordHash));
      return !isWrong;
    } finally {
      if (!isWrong) {
        perLink.takeBack(linkAndClient);
        perClient.takeBack(client);
      }
    }
  };
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
