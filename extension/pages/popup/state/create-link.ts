import type { ShortenRequest } from '../../../../shared/links/shorten-request.ts';
import {
  type BroadcastOf,
  onBroadcast,
  type Payload,
  type ShortenResult,
} from '../../../messaging/protocol.ts';
import { clearForm } from './form-draft.ts';
import type { PopupCore, Subject } from './popup-core.ts';
import { showFailure, showReady, showResult } from './show.ts';

/** After this time the popup says that the server is slow. */
const SLOW_MS = 3000;

/** Shortens the subject, or shows its existing link. */
export function shorten(core: PopupCore): Promise<void> {
  return createPlainLink(core, { reuseExisting: true });
}

/** Creates a new link even if the subject has one. */
export async function createAnother(core: PopupCore): Promise<void> {
  // The form of the link that is shown, which no other view can submit.
  clearForm(core);
  if (core.settings.value?.optionsFirst) return showReady(core);
  return createPlainLink(core, { reuseExisting: false });
}

async function createPlainLink(
  core: PopupCore,
  options: { reuseExisting: boolean },
): Promise<void> {
  const retry = () => createPlainLink(core, options);
  if (!confirmSecret(core, retry)) return;
  const current = core.subject.value;
  core.view.value = { name: 'working' };
  const answer = await requestLink(core, { originalUrl: current.url }, options);
  // The user may have entered another URL meanwhile.
  if (core.subject.value !== current) return;
  if (answer.ok) await showResult(core, answer);
  else await showFailure(core, answer, retry);
}

export async function requestLink(
  core: PopupCore,
  request: ShortenRequest,
  options: Pick<Payload<'createLink'>, 'reuseExisting' | 'isFromForm' | 'draftTabId'> = {},
): Promise<ShortenResult> {
  const { title: pageTitle, isSecretAccepted } = core.subject.value;
  const { isPrivate } = await core.page;
  const requestId = crypto.randomUUID();
  const { domains } = core;
  const { domain = domains.value?.chosen } = request;
  if (domains.value && domain) domains.value = { ...domains.value, chosen: domain };
  return noticeIfSlow(
    core,
    core.send('createLink', {
      request: { ...request, ...(domain && { domain }) },
      isPrivate,
      pageTitle,
      isSecretAccepted,
      popupId: core.popupId,
      requestId,
      ...options,
    }),
  );
}

/** Shows a notice while a response takes long. */
export async function noticeIfSlow<T>({ slowAnswer }: PopupCore, answer: Promise<T>): Promise<T> {
  const timer = setTimeout(() => {
    slowAnswer.value = answer;
  }, SLOW_MS);
  const data = await answer;
  clearTimeout(timer);
  // Another request may have started meanwhile.
  if (slowAnswer.value === answer) slowAnswer.value = undefined;
  return data;
}

/** Asks the user first if the URL may contain a secret. @returns whether to proceed right away */
export function confirmSecret(
  { subject, view }: PopupCore,
  proceed: () => Promise<void> | void,
  { isForForm = false } = {},
): boolean {
  if (!subject.value.target?.warning || subject.value.isSecretAccepted) return true;
  const before = view.value;
  const isShown = before.name === 'link' || before.name === 'ready';
  const goBack = () => {
    view.value = before;
  };
  view.value = { name: 'secret', before, proceed, isForForm, ...(isShown && { goBack }) };
  return false;
}

export async function acceptSecret(core: PopupCore): Promise<void> {
  const shown = core.view.value;
  if (shown.name !== 'secret') return;
  if (core.subject.value === core.pageSubject) changePage(core, { isSecretAccepted: true });
  else core.subject.value = { ...core.subject.value, isSecretAccepted: true };
  core.view.value = shown.before;
  await shown.proceed();
}

/** Changes what is known of the tab's page, whether it is the current subject or not. */
export function changePage(core: PopupCore, change: Partial<Subject>): void {
  const changed = { ...core.pageSubject, ...change };
  if (core.subject.value === core.pageSubject) core.subject.value = changed;
  core.pageSubject = changed;
}

/** Shows the queue and follows its changes while the popup is open. */
export async function watchQueue(core: PopupCore): Promise<void> {
  onBroadcast('queueChanged', () => void readQueue(core));
  onBroadcast('requestSettled', (settled) => void showSettled(core, settled));
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
async function showSettled(
  core: PopupCore,
  { id, answer }: BroadcastOf<'requestSettled'>,
): Promise<void> {
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
