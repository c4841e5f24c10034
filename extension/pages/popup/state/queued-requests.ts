import { browser } from 'wxt/browser';
import { WISH_SETTLED, WISHES_CHANGED, type WishSettled } from '../../../messaging/protocol.ts';
import type { PopupState } from './popup-state.ts';

/** Shows what waits, and what becomes of it while the popup is open. */
export async function watchWaiting(state: PopupState): Promise<void> {
  browser.runtime.onMessage.addListener((message: { kind?: unknown } | undefined) => {
    if (message?.kind === WISHES_CHANGED) void readWaiting(state);
    if (message?.kind === WISH_SETTLED) void showSettled(state, message as WishSettled);
    return undefined;
  });
  await readWaiting(state);
}

async function readWaiting(state: PopupState): Promise<void> {
  const { isPrivate } = await state.page;
  const answer = await state.send('readWaiting', { isPrivate });
  if (!answer.ok) return;
  state.waiting.value = answer.data;
  const view = state.view.value;
  if (view.name !== 'kept') return;
  const { refusal, again, afterDrop } = view;
  const now = answer.data.find(({ id }) => id === refusal.kept.id);
  // Dropped in the list below, or given up: it waits no more. One that was made is told before.
  if (!now) return afterDrop();
  if (now.retryAtMs === refusal.kept.retryAtMs) return;
  const { id, retryAtMs } = now;
  await state.refuse({ ...refusal, kept: { id, retryAtMs } }, again, afterDrop);
}

/** The clipboard is left alone: by now something else may be in it. */
async function showSettled(state: PopupState, { id, answer }: WishSettled): Promise<void> {
  const view = state.view.value;
  if (view.name !== 'kept' || view.refusal.kept.id !== id) return;
  if (!answer.ok) return state.refuse(answer);
  state.clearForm();
  await state.showMade(answer, { copies: false });
}

/** Gives up the wish that is shown as kept. */
export async function dropKept(state: PopupState): Promise<void> {
  const view = state.view.value;
  if (view.name !== 'kept') return;
  const answer = await state.send('dropWish', { id: view.refusal.kept.id });
  if (answer.ok) view.afterDrop();
  else await state.refuse(answer);
}
