import { browser } from 'wxt/browser';
import {
  QUEUE_CHANGED,
  REQUEST_SETTLED,
  type RequestSettled,
} from '../../../messaging/protocol.ts';
import type { PopupState } from './popup-state.ts';

/** Shows the queue and follows its changes while the popup is open. */
export async function watchQueue(state: PopupState): Promise<void> {
  browser.runtime.onMessage.addListener((message: { kind?: unknown } | undefined) => {
    if (message?.kind === QUEUE_CHANGED) void readQueue(state);
    if (message?.kind === REQUEST_SETTLED) void showSettled(state, message as RequestSettled);
    return undefined;
  });
  await readQueue(state);
}

async function readQueue(state: PopupState): Promise<void> {
  const { isPrivate } = await state.page;
  const answer = await state.send('readQueue', { isPrivate });
  if (!answer.ok) return;
  state.queued.value = answer.data;
  const view = state.view.value;
  if (view.name !== 'queued') return;
  const { failure, retry, onDiscard } = view;
  const current = answer.data.find(({ id }) => id === failure.queued.id);
  // Discarded in the list below, or given up. One that succeeded was reported before this.
  if (!current) return onDiscard();
  if (current.retryAtMs === failure.queued.retryAtMs) return;
  const { id, retryAtMs } = current;
  await state.showFailure({ ...failure, queued: { id, retryAtMs } }, retry, onDiscard);
}

/** Doesn't copy the link: the user may have copied something else meanwhile. */
async function showSettled(state: PopupState, { id, answer }: RequestSettled): Promise<void> {
  const view = state.view.value;
  if (view.name !== 'queued' || view.failure.queued.id !== id) return;
  if (!answer.ok) return state.showFailure(answer);
  state.clearForm();
  await state.showResult(answer, { copies: false });
}

/** Discards the queued request that the popup shows. */
export async function discardQueued(state: PopupState): Promise<void> {
  const view = state.view.value;
  if (view.name !== 'queued') return;
  const answer = await state.send('discardRequest', { id: view.failure.queued.id });
  if (answer.ok) view.onDiscard();
  else await state.showFailure(answer);
}
