import { browser } from 'wxt/browser';
import {
  QUEUE_CHANGED,
  REQUEST_SETTLED,
  type RequestSettled,
} from '../../../messaging/protocol.ts';
import type { PopupState } from './popup-state.ts';

/** Shows what waits, and what becomes of it while the popup is open. */
export async function watchWaiting(state: PopupState): Promise<void> {
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
  state.waiting.value = answer.data;
  const view = state.view.value;
  if (view.name !== 'queued') return;
  const { failure, again, afterDrop } = view;
  const now = answer.data.find(({ id }) => id === failure.queued.id);
  // Dropped in the list below, or given up: it waits no more. One that was made is told before.
  if (!now) return afterDrop();
  if (now.retryAtMs === failure.queued.retryAtMs) return;
  const { id, retryAtMs } = now;
  await state.refuse({ ...failure, queued: { id, retryAtMs } }, again, afterDrop);
}

/** The clipboard is left alone: by now something else may be in it. */
async function showSettled(state: PopupState, { id, answer }: RequestSettled): Promise<void> {
  const view = state.view.value;
  if (view.name !== 'queued' || view.failure.queued.id !== id) return;
  if (!answer.ok) return state.refuse(answer);
  state.clearForm();
  await state.showResult(answer, { copies: false });
}

/** Gives up the wish that is shown as kept. */
export async function discardQueued(state: PopupState): Promise<void> {
  const view = state.view.value;
  if (view.name !== 'queued') return;
  const answer = await state.send('discardRequest', { id: view.failure.queued.id });
  if (answer.ok) view.afterDrop();
  else await state.refuse(answer);
}
