import { browser } from 'wxt/browser';
import {
  QUEUE_CHANGED,
  REQUEST_SETTLED,
  type RequestSettled,
} from '../../../messaging/protocol.ts';
import { shorten } from './create-link.ts';
import type { PopupCore } from './popup-core.ts';
import { showFailure, showResult } from './show.ts';

/** Shows the queue and follows its changes while the popup is open. */
export async function watchQueue(core: PopupCore): Promise<void> {
  browser.runtime.onMessage.addListener((message: { kind?: unknown } | undefined) => {
    if (message?.kind === QUEUE_CHANGED) void readQueue(core);
    if (message?.kind === REQUEST_SETTLED) void showSettled(core, message as RequestSettled);
    return undefined;
  });
  await readQueue(core);
}

async function readQueue(core: PopupCore): Promise<void> {
  const { isPrivate } = await core.page;
  const answer = await core.send('readQueue', { isPrivate });
  if (!answer.ok) return;
  core.queued.value = answer.data;
  const view = core.view.value;
  if (view.name !== 'queued') return;
  const { failure, retry, onDiscard } = view;
  const current = answer.data.find(({ id }) => id === failure.queued.id);
  // Discarded in the list below, or given up. One that succeeded was reported before this.
  if (!current) return onDiscard();
  if (current.retryAtMs === failure.queued.retryAtMs) return;
  const { id, retryAtMs } = current;
  await showFailure(core, { ...failure, queued: { id, retryAtMs } }, retry, onDiscard);
}

/** Doesn't copy the link: the user may have copied something else meanwhile. */
async function showSettled(core: PopupCore, { id, answer }: RequestSettled): Promise<void> {
  const view = core.view.value;
  if (view.name !== 'queued' || view.failure.queued.id !== id) return;
  if (!answer.ok) return showFailure(core, answer, () => shorten(core));
  await showResult(core, answer, { copies: false });
}

/** Discards the queued request that the popup shows. */
export async function discardQueued(core: PopupCore): Promise<void> {
  const view = core.view.value;
  if (view.name !== 'queued') return;
  const answer = await core.send('discardRequest', { id: view.failure.queued.id });
  if (core.view.value !== view) return;
  if (answer.ok) view.onDiscard();
  else await showFailure(core, answer, view.retry);
}
