import type { LinkRecord } from '../../../../shared/links/link-record.ts';
import type { Payload, Reply, UrlStart } from '../../../messaging/protocol.ts';
import { confirmSecret, noticeIfSlow } from './create-link.ts';
import { clearForm } from './form-draft.ts';
import type { PopupCore, Subject, View } from './popup-core.ts';
import { showFailure, showReady, withText } from './show.ts';
import { applySettings, takeFirstStep, tryAgain } from './start.ts';

/** Shortens the typed URL. If it isn't valid, the current view stays. */
export async function shortenTypedUrl(core: PopupCore): Promise<void> {
  core.typedUrlFailure.value = undefined;
  const shown = core.view.value;
  const working = { name: 'working' } as const;
  core.view.value = working;
  const answer = await requestUrl(core, { text: core.typedUrl.value, createsLink: true });
  // The response for the page may have been shown meanwhile.
  if (core.view.value === working) core.view.value = shown;
  if (!answer.ok) {
    core.typedUrlFailure.value = await withText(core, answer);
    return;
  }
  core.typedUrl.value = '';
  clearForm(core);
  const before = {
    subject: core.subject.value,
    view: core.view.value,
    links: core.links.value,
  };
  setSubject(core, answer.data, { title: '', isTyped: true });
  await takeFirstStep(core, answer.data.first);
  const view = core.view.value;
  if (view.name === 'secret') {
    core.view.value = { ...view, goBack: () => restoreView(core, before) };
  }
}

/** Uses the address where the server of the queued request is now, which comes along. */
export async function useNewAddress(core: PopupCore): Promise<void> {
  const shown = core.view.value;
  const from = core.settings.value?.serverOrigin;
  if (shown.name !== 'queued' || !shown.failure.movedTo || !from) return;
  const { retry, onDiscard } = shown;
  // The request gets another ID.
  const working = { name: 'working' } as const;
  core.view.value = working;
  const move = core.send('moveServer', { from, to: shown.failure.movedTo });
  const answer = await noticeIfSlow(core, move);
  if (answer.ok) core.settings.value = answer.data;
  if (core.view.value !== working) return;
  if (!answer.ok) return showFailure(core, answer, retry, onDiscard);
  await retry();
}

/** Switches to the URL with its tracking parameters. */
export async function useFullUrl(core: PopupCore): Promise<void> {
  const { target, url } = core.subject.value;
  const createsLink = core.view.value.name === 'link';
  await switchTo(core, target?.fullUrl ?? url, { keepTracking: true, createsLink });
}

/** Switches from the page's canonical URL to the one in the tab. */
export async function useTabUrl(core: PopupCore): Promise<void> {
  const { target, url } = core.subject.value;
  const createsLink = core.view.value.name === 'link';
  await switchTo(core, target?.tabUrl ?? url, { keepTracking: false, createsLink });
}

/** Removes the secret from the URL that the user was warned about. */
export async function removeSecret(core: PopupCore): Promise<void> {
  const { target } = core.subject.value;
  const view = core.view.value;
  if (!target?.warning?.without || view.name !== 'secret') return;
  const keepTracking = target.url === target.fullUrl;
  const proceed = async () => {
    core.view.value = view.before;
    await view.proceed();
  };
  const createsLink = !view.isForForm;
  await switchTo(core, target.warning.without, { keepTracking, createsLink, proceed });
}

function restoreView(
  core: PopupCore,
  before: { subject: Subject; view: View; links: LinkRecord[] },
): void {
  core.subject.value = before.subject;
  core.links.value = before.links;
  clearForm(core);
  // Its response arrived while something else was shown.
  if (before.view.name === 'working') void tryAgain(core);
  else core.view.value = before.view;
}

/** Continues with another form of the URL. */
async function switchTo(
  core: PopupCore,
  text: string,
  {
    keepTracking,
    createsLink,
    proceed = () => showReady(core),
  }: { keepTracking: boolean; createsLink: boolean; proceed?: () => Promise<void> | void },
): Promise<void> {
  const subject = core.subject.value;
  const { title: pageTitle } = subject;
  if (createsLink) {
    // That of the link that was shown. The form of a new link stays.
    clearForm(core);
    core.view.value = { name: 'working' };
  }
  const answer = await requestUrl(core, { text, keepTracking, createsLink, pageTitle });
  if (core.subject.value !== subject) return;
  if (!answer.ok) return showFailure(core, answer, () => tryAgain(core));
  const { title, isTyped } = subject;
  setSubject(core, answer.data, { title, ...(isTyped && { isTyped }) });
  if (createsLink) await takeFirstStep(core, answer.data.first);
  else if (confirmSecret(core, proceed)) await proceed();
}

async function requestUrl(
  core: PopupCore,
  payload: Omit<Payload<'startUrl'>, 'isPrivate' | 'popupId' | 'requestId' | 'domain'>,
): Promise<Reply<'startUrl'>> {
  const { isPrivate } = await core.page;
  const { popupId, send } = core;
  const about = { isPrivate, popupId, requestId: crypto.randomUUID() };
  const domain = core.domains.value?.chosen;
  return noticeIfSlow(core, send('startUrl', { ...payload, ...about, domain }));
}

function setSubject(
  core: PopupCore,
  start: UrlStart,
  about: Pick<Subject, 'title' | 'isTyped'>,
): void {
  applySettings(core, start);
  core.links.value = start.links;
  // Its parameters were those of the URL before.
  const { originalUrl: _, ...changed } = core.changedFields.value;
  core.changedFields.value = changed;
  core.subject.value = { url: start.target.url, target: start.target, ...about };
}
