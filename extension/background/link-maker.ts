import type { Client, Failure } from '../../shared/client.ts';
import { createTurns } from '../../shared/turns.ts';
import type { MadeAnswer } from '../messages.ts';
import type { PendingWish } from '../storage.ts';
import { assureCurt, doubtServer } from './known-servers.ts';
import { rememberLink, toMadeLink } from './made-links.ts';
import { ownFailureCode } from './own-failure.ts';
import {
  findPending,
  findUnsettledAccount,
  forgetWish,
  markInDoubt,
  startWish,
  type Wish,
  wishId,
} from './pending-wishes.ts';
import { findToken, keepIssuedToken } from './tokens.ts';

export type LinkMakerOptions = {
  /** The client of a server; the network is its alone. */
  clientOf: (origin: string) => Client;
  /** @default crypto.randomUUID */
  newKey?: () => string;
  /** @default Date.now */
  nowMs?: () => number;
};

export type LinkMaker = (wish: Wish) => Promise<MadeAnswer>;

/**
 * Makes short links so that nothing happens twice:
 * - the same wish while one is under way is the same call;
 * - while no token is known for a server, calls to it go one after the other, so that the first
 *   opens the only account and the others find its token;
 * - a wish whose call ended without a clear answer is repeated with its first key and credentials.
 */
export function createLinkMaker({
  clientOf,
  newKey = () => crypto.randomUUID(),
  nowMs = Date.now,
}: LinkMakerOptions): LinkMaker {
  const underWay = new Map<string, Promise<MadeAnswer>>();
  const inTurn = createTurns();

  return (wish) => {
    const id = wishId(wish);
    let attempt = underWay.get(id);
    if (!attempt) {
      attempt = fulfil(id, wish).finally(() => underWay.delete(id));
      underWay.set(id, attempt);
    }
    return attempt;
  };

  async function fulfil(id: string, wish: Wish): Promise<MadeAnswer> {
    const known = await assureCurt(wish.origin, clientOf(wish.origin));
    if (!known.ok) return known;

    const pending = await findPending(id, nowMs());
    if (pending?.token) return call(id, pending);
    const token = await findToken(wish.origin, wish.isPrivate);
    if (token && !pending) return call(id, await start(id, wish, token));
    return inTurn(`${wish.origin} ${wish.isPrivate}`, () => fulfilInTurn(id, wish));
  }

  async function fulfilInTurn(id: string, wish: Wish): Promise<MadeAnswer> {
    const pending = await findPending(id, nowMs());
    if (pending) return call(id, pending);

    if (!(await findToken(wish.origin, wish.isPrivate))) {
      const unsettled = await findUnsettledAccount(wish.origin, wish.isPrivate, nowMs());
      if (unsettled) {
        // Another anonymous call could open a second account: settle the first one before.
        const answer = await call(...unsettled);
        if (!answer.ok && (await findPending(unsettled[0], nowMs()))) return answer;
      }
    }
    return call(id, await start(id, wish, await findToken(wish.origin, wish.isPrivate)));
  }

  function start(id: string, wish: Wish, token: string | undefined): Promise<PendingWish> {
    return startWish(id, {
      ...wish,
      ...(token && { token }),
      idempotencyKey: newKey(),
      startedAtMs: nowMs(),
      isInDoubt: false,
    });
  }

  async function call(id: string, wish: PendingWish): Promise<MadeAnswer> {
    const { origin, request, isPrivate, token, idempotencyKey } = wish;
    const result = await clientOf(origin).shorten(request, { token, idempotencyKey });
    if (result.ok) {
      const data = toMadeLink(result.data, wish.title);
      try {
        // In this order: if keeping fails, the wish is still there and its repetition gets the same.
        await keepIssuedToken(origin, result.data.newAuthToken, isPrivate);
        await rememberLink(origin, request.originalUrl, data, isPrivate);
        await forgetWish(id);
        return { ok: true, data };
      } catch (error) {
        return { ok: true, data, notKept: ownFailureCode(error) };
      }
    }
    if (result.code === 'not_curt') await doubtServer(origin);
    if (isDefinite(result, wish)) await forgetWish(id);
    else await markInDoubt(id);
    return result;
  }
}

/** Whether a refusal says for certain that no call of the wish has made, or will make, a link. */
function isDefinite(failure: Failure, wish: PendingWish): boolean {
  const { status = 0, code } = failure;
  if (code === 'not_curt' || status < 400 || status >= 500) return false;
  // The rate limit comes before the key is looked at: it says nothing of the calls before.
  return code !== 'rate_limited' || !wish.isInDoubt;
}
