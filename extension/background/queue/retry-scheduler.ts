import type { FailureCode, MadeAnswer } from '../../messaging/protocol.ts';
import type { PendingWish } from '../../storage/items.ts';
import { changeWish, findWish, groupOf, listWishes } from './pending-requests.ts';

/** A limit ends when the server says so, whether or not it was away. */
const LIMITS = new Set<FailureCode>(['rate_limited', 'account_limit', 'quota_exceeded']);

/** Calls of a minute's rate that are left to the user. */
const CALLS_LEFT_FREE = 2;

/**
 * Which wishes are tried: those whose time has come; or also those that wait only for a server to be
 * back; or all.
 */
export type Eagerness = 'due' | 'away' | 'all';

export type RoundParts = {
  /** Tries one. Gives it up where that makes no more sense. */
  retryWish: (id: string, wish: PendingWish) => Promise<MadeAnswer>;
  /** Gives one up whose time is over. @returns whether it was */
  giveUpIfOver: (id: string, wish: PendingWish) => Promise<boolean>;
  /** Whether somebody waits for its answer already. */
  isAwaited: (id: string) => boolean;
  nowMs: () => number;
};

/** The wishes after one that failed wait with it, until a time. */
type Stop = { untilMs: number; sparesDoubts: boolean };

/** Goes through the wishes of a server one after the other: one that is away is asked once. */
export function createRounds({ retryWish, giveUpIfOver, isAwaited, nowMs }: RoundParts) {
  const running = new Map<string, Promise<void>>();

  function retryGroup(group: string, eagerness: Eagerness): Promise<void> {
    const before = running.get(group);
    if (before) return before;
    const round = goThrough(group, eagerness).finally(() => running.delete(group));
    running.set(group, round);
    return round;
  }

  async function goThrough(group: string, eagerness: Eagerness): Promise<void> {
    let stop: Stop | undefined;
    for (const [id] of await listWishes()) {
      // As it is now: a round takes its time.
      const wish = await findWish(id);
      if (!wish || groupOf(wish) !== group || isAwaited(id) || !isUp(wish, eagerness)) continue;
      if (stop && !(stop.sparesDoubts && wish.call)) await putOff(id, wish, stop);
      else stop = stopAfter(await retryWish(id, wish)) ?? stop;
    }
  }

  function isUp({ status, retryAtMs, failure }: PendingWish, eagerness: Eagerness): boolean {
    if (status === 'done') return false;
    const isLimited = failure !== undefined && LIMITS.has(failure);
    return retryAtMs <= nowMs() || eagerness === 'all' || (eagerness === 'away' && !isLimited);
  }

  async function putOff(id: string, wish: PendingWish, { untilMs }: Stop): Promise<void> {
    if (await giveUpIfOver(id, wish)) return;
    if (wish.retryAtMs < untilMs) await changeWish(id, { retryAtMs: untilMs });
  }

  /** @returns until when the others of its server have no chance */
  function stopAfter(answer: MadeAnswer): Stop | undefined {
    if (!answer.ok) {
      // A server that fails at one wish may fulfil the others.
      if (!answer.kept || answer.code === 'internal') return undefined;
      // A repeated call makes no new link, so a month without more is no matter for it.
      const sparesDoubts = answer.code === 'quota_exceeded';
      return { untilMs: answer.kept.retryAtMs, sparesDoubts };
    }
    if (!isScarce(answer)) return undefined;
    const seconds = answer.limits?.rate?.resetsInSeconds ?? 0;
    return { untilMs: nowMs() + (seconds + 1) * 1000, sparesDoubts: false };
  }

  return { retryGroup };
}

/** Whether the rest of this minute's calls is the user's. */
export function isScarce({ limits }: MadeAnswer): boolean {
  return limits?.rate !== undefined && limits.rate.remaining <= CALLS_LEFT_FREE;
}
