import type { MadeAnswer, Refusal } from '../../messaging/protocol.ts';
import type { PendingWish } from '../../storage/items.ts';
import { doubtServer } from '../server/verify-server.ts';
import { findAnswer, keepAnswer } from './completed-requests.ts';
import {
  changeWish,
  findWish,
  forgetWish,
  groupOf,
  isRepeatable,
  keepWish,
  listWishes,
  type Wish,
  wishId,
} from './pending-requests.ts';
import { createLinkMaker, type LinkMakerOptions } from './request-runner.ts';
import { planRetries } from './retry-alarm.ts';
import { retryTimeMs, triedUntilMs } from './retry-policy.ts';
import { createRounds, type Eagerness, isScarce } from './retry-scheduler.ts';

/** How a wish ended for whose answer nobody was waiting. */
export type LateOutcome =
  | MadeAnswer
  /** In doubt, there may be a link. */
  | { ok: false; code: 'given_up'; isInDoubt: boolean };

export type QueueOptions = Omit<LinkMakerOptions, 'onSettled'> & {
  /** Tells the user. Must not fail: the wish would end once more. */
  onLate: (id: string, wish: PendingWish, outcome: LateOutcome) => Promise<void>;
  /** From 0 to 1. @default Math.random */
  chance?: () => number;
};
export type Queue = ReturnType<typeof createQueue>;

/**
 * Makes links, and keeps the wishes that a server which is away or limited cannot fulfil now: they
 * are tried again when that makes sense, and their end is told late.
 */
export function createQueue({ onLate, chance = Math.random, ...options }: QueueOptions) {
  const { nowMs = Date.now } = options;
  /** How many wait for a wish's answer. */
  const asked = new Map<string, number>();
  const isAsked = (id: string) => asked.has(id);
  const makeLink = createLinkMaker({ ...options, onSettled });
  const { retryGroup } = createRounds({ retryWish, giveUpIfOver, isAsked, nowMs });

  async function onSettled(id: string, wish: PendingWish, answer: MadeAnswer): Promise<void> {
    if (answer.ok && wish.askId) await keepAnswer(wish.askId, answer.data);
    if (!isAsked(id)) await onLate(id, wish, answer);
  }

  /** Makes the link of a wish, or keeps it: the refusal then says until when. */
  async function make(wish: Wish): Promise<MadeAnswer> {
    const before = wish.askId && (await findAnswer(wish.askId));
    if (before) return { ok: true, data: before };
    const id = await wishId(wish);
    asked.set(id, (asked.get(id) ?? 0) + 1);
    try {
      if (!(await keepWish(id, wish, nowMs()))) return { ok: false, code: 'queue_full' };
      const [answer] = await Promise.all([makeLink(wish, id), planRetries()]);
      if (!answer.ok) return await postpone(id, answer);
      // The server is there, so what waits for it may have its turn.
      if (!isScarce(answer)) void retryGroup(groupOf(wish), 'all');
      return answer;
    } finally {
      const others = (asked.get(id) ?? 1) - 1;
      if (others > 0) asked.set(id, others);
      else asked.delete(id);
    }
  }

  async function postpone(id: string, refusal: Refusal): Promise<Refusal> {
    const wish = await findWish(id);
    if (!wish) return refusal;
    // An attempt before its time is one more, and no reason to wait longer.
    const isDue = wish.failure === undefined || wish.retryAtMs <= nowMs();
    const attempts = isDue ? wish.attempts : wish.attempts - 1;
    const retryAtMs = retryTimeMs(refusal, wish, attempts, nowMs(), chance());
    const kept = await changeWish(id, {
      failure: refusal.code,
      attempts: attempts + 1,
      retryAtMs,
      triedUntilMs: triedUntilMs(refusal, wish, retryAtMs),
    });
    return kept ? { ...refusal, kept: { id, retryAtMs } } : refusal;
  }

  /** Tries one for whose answer nobody waits. */
  async function retryWish(id: string, wish: PendingWish): Promise<MadeAnswer> {
    const gone: Refusal = { ok: false, code: wish.failure ?? 'extension_failed' };
    if (wish.call && (await giveUpIfOver(id, wish))) return gone;
    // Asked for its health first, a server that is still away leaves no new doubt.
    if (!wish.call) await doubtServer(wish.origin);
    const answer = await makeLink(wish, id);
    if (answer.ok || isAsked(id)) return answer;
    const refusal = await postpone(id, answer);
    const left = await findWish(id);
    return left && (await giveUpIfOver(id, left)) ? answer : refusal;
  }

  async function giveUpIfOver(id: string, wish: PendingWish): Promise<boolean> {
    if (!isOver(wish)) return false;
    await onLate(id, wish, { ok: false, code: 'given_up', isInDoubt: wish.call !== undefined });
    await forgetWish(id);
    return true;
  }

  /** In doubt, as soon as the server has forgotten its key; else after its time. */
  function isOver({ call, triedUntilMs: untilMs }: PendingWish): boolean {
    return call ? !isRepeatable(call, nowMs()) : nowMs() > untilMs;
  }

  /** Tries what waits for every server. */
  async function retryAll(eagerness: Eagerness): Promise<void> {
    const wishes = await listWishes();
    for (const [id, { isMade, call }] of wishes) {
      if (isMade && !isRepeatable(call, nowMs())) await forgetWish(id);
    }
    const groups = new Set(wishes.map(([, wish]) => groupOf(wish)));
    await Promise.all([...groups].map((group) => retryGroup(group, eagerness)));
    await planRetries();
  }

  /** Tries one now, before its time too. */
  async function retry(id: string): Promise<MadeAnswer> {
    const wish = await findWish(id);
    return wish ? retryWish(id, wish) : { ok: false, code: 'extension_failed' };
  }

  return { make, retryAll, retry, drop: forgetWish };
}
