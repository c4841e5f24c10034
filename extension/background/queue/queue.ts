import type { MadeAnswer, Refusal } from '../../messaging/protocol.ts';
import type { PendingWish } from '../../storage/items.ts';
import { doubtServer } from '../server/verify-server.ts';
import { findAnswer, keepAnswer } from './completed-requests.ts';
import {
  findWish,
  forgetWish,
  groupOf,
  isRepeatable,
  keepWish,
  listWishes,
  type Wish,
  wishId,
} from './pending-requests.ts';
import { createRunner, type RunnerOptions } from './request-runner.ts';
import { planRetries } from './retry-alarm.ts';
import { createRounds, type Eagerness, isScarce } from './retry-scheduler.ts';

/** How a wish ended for whose answer nobody was waiting. */
export type LateOutcome =
  | MadeAnswer
  /** In doubt, there may be a link. */
  | { ok: false; code: 'given_up'; isInDoubt: boolean };

export type QueueOptions = RunnerOptions & {
  /** Tells the user. Must not fail: the wish would end once more. */
  onLate: (id: string, wish: PendingWish, outcome: LateOutcome) => Promise<void>;
};
export type Queue = ReturnType<typeof createQueue>;
export type LinkMaker = Queue['make'];

/**
 * Makes links, and keeps the requests that a server which is away or limited cannot fulfil now:
 * they are tried again when that makes sense, and their end is told late.
 */
export function createQueue({ onLate, ...options }: QueueOptions) {
  const { nowMs = Date.now } = options;
  const { run, isAwaited } = createRunner(options, async (id, request, answer, isAwaited) => {
    if (answer.ok && request.askId) await keepAnswer(request.askId, answer.data);
    if (!isAwaited) await onLate(id, request, answer);
  });
  const { retryGroup } = createRounds({ retryWish, giveUpIfOver, isAwaited, nowMs });

  /** Makes the link of a request, or keeps the request: the failure then says until when. */
  async function make({ takesMade, ...wish }: Wish): Promise<MadeAnswer> {
    const before = wish.askId && (await findAnswer(wish.askId));
    if (before) return { ok: true, data: before };
    const id = await wishId(wish);
    if (!(await keepWish(id, wish, nowMs()))) return { ok: false, code: 'queue_full' };
    const running = run(id, { isAwaited: true, reuseExisting: takesMade });
    const [answer] = await Promise.all([running, planRetries()]);
    // The server is there, so what waits for it may have its turn.
    if (answer.ok && !isScarce(answer)) void retryGroup(groupOf(wish), 'all');
    return answer;
  }

  /** Tries one for whose answer nobody waits. */
  async function retryWish(id: string, wish: PendingWish): Promise<MadeAnswer> {
    const gone: Refusal = { ok: false, code: wish.failure ?? 'extension_failed' };
    if (wish.call && (await giveUpIfOver(id, wish))) return gone;
    // Asked for its health first, a server that is still away leaves no new doubt.
    if (!wish.call) await doubtServer(wish.origin);
    const answer = await run(id);
    if (answer.ok || isAwaited(id)) return answer;
    const left = await findWish(id);
    if (!left || !(await giveUpIfOver(id, left))) return answer;
    const { kept: _, ...ended } = answer;
    return ended;
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
    for (const [id, { status, call }] of wishes) {
      if (status === 'done' && !isRepeatable(call, nowMs())) await forgetWish(id);
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
