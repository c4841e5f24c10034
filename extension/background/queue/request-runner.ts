import type { Client, Failure } from '../../../shared/client.ts';
import { createTurns } from '../../../shared/keyed-mutex.ts';
import type { LinkRecord } from '../../../shared/link-record.ts';
import type { FailureCode, MadeAnswer, MadeLink, Refusal } from '../../messaging/protocol.ts';
import type { PendingWish } from '../../storage/items.ts';
import { watchForgetting } from '../data/erase.ts';
import { findLinkMadeHere, rememberLink, toMadeLink } from '../links/link-store.ts';
import { dropPrivateToken, findToken, keepIssuedToken } from '../server/tokens.ts';
import { assureCurt, doubtServer } from '../server/verify-server.ts';
import { ownFailureCode } from '../to-failure.ts';
import {
  type Call,
  changeWish,
  findUnsettledAccount,
  findWish,
  forgetWish,
  groupOf,
  isRepeatable,
  keepWish,
  type Wish,
  wishId,
} from './pending-requests.ts';
import { planRetries } from './retry-alarm.ts';
import { isAway, isLimited } from './retry-policy.ts';

export type LinkMakerOptions = {
  /** The client of a server; the network is its alone. */
  clientOf: (origin: string) => Client;
  /** @default crypto.randomUUID */
  newKey?: () => string;
  /** @default Date.now */
  nowMs?: () => number;
  /**
   * Hears how a wish ended for good before it is forgotten. A worker that is stopped in between
   * lets it end, and be heard, once more.
   */
  onSettled?: (id: string, wish: PendingWish, answer: MadeAnswer) => Promise<void>;
};

export type LinkMaker = (wish: Wish) => Promise<MadeAnswer>;

/** Somebody has taken the wish away while it waited for its turn. */
const GONE: Refusal = { ok: false, code: 'extension_failed' };

/**
 * Makes short links so that nothing happens twice:
 * - the same wish while one is under way is the same call;
 * - while no token is known for a server, calls to it go one after the other, so that the first
 *   opens the only account and the others find its token;
 * - a wish whose call ended without a clear answer is repeated with its first key and credentials.
 *
 * A wish is kept from before its first call until it is settled: by a link, or by a refusal that
 * another attempt would meet as well.
 */
export function createLinkMaker({
  clientOf,
  newKey = () => crypto.randomUUID(),
  nowMs = Date.now,
  onSettled = async () => {},
}: LinkMakerOptions): LinkMaker {
  const underWay = new Map<string, Promise<MadeAnswer>>();
  /** Of those under way, what another wish has settled that had to do so first. */
  const settled = new Map<string, MadeAnswer>();
  const inTurn = createTurns();

  return async (wish) => {
    const id = await wishId(wish);
    let attempt = underWay.get(id);
    if (!attempt) {
      attempt = fulfil(id, wish).finally(() => {
        underWay.delete(id);
        settled.delete(id);
      });
      underWay.set(id, attempt);
    }
    return attempt;
  };

  async function fulfil(id: string, asked: Wish): Promise<MadeAnswer> {
    const before = await findWish(id);
    const made = asked.takesMade && !before?.call && (await findMade(asked));
    if (made) {
      await forgetWish(id);
      return { ok: true, data: made };
    }
    if (!before) {
      await keepWish(id, asked, nowMs());
      await planRetries();
    }
    const { origin, isPrivate } = asked;
    const known = await assureCurt(origin, clientOf(origin));
    const [wish, token] = await Promise.all([findWish(id), findToken(origin, isPrivate)]);
    if (!wish) return settled.get(id) ?? GONE;
    const call = isRepeatable(wish.call, nowMs()) ? wish.call : undefined;
    if (!known.ok) {
      // Nothing was sent, and nothing will be: Curt neither stands there nor is it away.
      if (!call && !isAway(known) && !isLimited(known)) await settle(id, wish, known);
      return known;
    }
    if (call?.token) return repeat(id, wish, call);
    if (token && !call) return callAnew(id, token);
    return inTurn(groupOf(asked), () => fulfilInTurn(id, asked));
  }

  /** Looked up again, since another ask may have ended between the look-up and this one. */
  function findMade({ origin, request, isPrivate }: Wish): Promise<MadeLink | undefined> {
    return findLinkMadeHere(origin, request.originalUrl, isPrivate, nowMs());
  }

  async function fulfilInTurn(id: string, { origin, isPrivate }: Wish): Promise<MadeAnswer> {
    const wish = await findWish(id);
    if (!wish) return settled.get(id) ?? GONE;
    if (isRepeatable(wish.call, nowMs())) return repeat(id, wish, wish.call);

    if (!(await findToken(origin, isPrivate))) {
      const unsettled = await findUnsettledAccount(origin, isPrivate, nowMs());
      if (unsettled) {
        // Another anonymous call could open a second account: settle the first one before.
        const [otherId, other] = unsettled;
        const answer = await repeat(otherId, other, other.call as Call);
        if (!answer.ok && (await findWish(otherId))?.call) return answer;
      }
    }
    return callAnew(id, await findToken(origin, isPrivate));
  }

  async function callAnew(id: string, token: string | undefined): Promise<MadeAnswer> {
    const call: Call = {
      ...(token && { token }),
      idempotencyKey: newKey(),
      startedAtMs: nowMs(),
    };
    const wish = await changeWish(id, { call });
    return wish ? attempt(id, wish, call, true) : GONE;
  }

  function repeat(id: string, wish: PendingWish, call: Call): Promise<MadeAnswer> {
    return attempt(id, wish, call, false);
  }

  async function attempt(
    id: string,
    wish: PendingWish,
    { token, idempotencyKey }: Call,
    isFirst: boolean,
  ): Promise<MadeAnswer> {
    const { origin, request } = wish;
    const isForgotten = watchForgetting();
    const result = await clientOf(origin).shorten(request, { token, idempotencyKey });
    if (result.ok) {
      const made = { ...result, data: toMadeLink(result.data, wish.title) };
      const notKept = await keep(wish, result.data, made.data, isForgotten);
      // Whoever asked is given the link, and nothing is left of it here.
      if (isForgotten()) return made;
      const answer = notKept ? { ...made, notKept } : made;
      await settle(id, wish, answer);
      return answer;
    }
    // An unclear answer is in doubt, so the next call first asks whether Curt is there at all.
    if (AWAY.has(result.code)) await doubtServer(origin);
    if (result.code === 'invalid_token' && token) await dropPrivateToken(origin, token);
    if (isDefinite(result, isFirst)) {
      if (result.status === 429) await changeWish(id, { call: undefined });
      else await settle(id, wish, result);
    }
    return result;
  }

  async function settle(id: string, wish: PendingWish, answer: MadeAnswer): Promise<void> {
    if (underWay.has(id)) settled.set(id, answer);
    await onSettled(id, wish, answer);
    // A link that is not kept is found again by the repetition of its wish.
    if (answer.ok && answer.notKept) await changeWish(id, { isMade: true });
    else await forgetWish(id);
  }
}

/** @returns why there was no way to keep it */
async function keep(
  { origin, request, isPrivate }: PendingWish,
  record: LinkRecord,
  link: MadeLink,
  isForgotten: () => boolean,
): Promise<FailureCode | undefined> {
  try {
    // In this order: if keeping fails, the wish is still there and its repetition gets the same.
    if (!isForgotten()) await keepIssuedToken(origin, record.newAuthToken, isPrivate);
    if (!isForgotten()) await rememberLink(origin, request.originalUrl, link, isPrivate);
    return undefined;
  } catch (error) {
    return ownFailureCode(error);
  }
}

const AWAY = new Set<Failure['code']>([
  'unreachable',
  'timeout',
  'gateway_error',
  'redirected',
  'not_curt',
]);

/** Whether a refusal says for certain that no call of the wish has made, or will make, a link. */
function isDefinite({ status = 0, code }: Failure, isFirst: boolean): boolean {
  if (code === 'not_curt' || status < 400 || status >= 500) return false;
  // The rate limit comes before the key is looked at: it says nothing of the calls before.
  return code !== 'rate_limited' || isFirst;
}
