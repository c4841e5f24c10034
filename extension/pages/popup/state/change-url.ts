import type { LinkSummary } from '../../../links/link.ts';
import type { UrlStart } from '../../../messaging/protocol.ts';
import type { PopupState } from './popup-state.ts';
import type { Subject, View } from './view.ts';

/** Shortens the typed URL. If it isn't valid, the current view stays. */
export async function shortenTypedUrl(state: PopupState): Promise<void> {
  state.urlFailure.value = undefined;
  const { isPrivate } = await state.page;
  const answer = await state.send('startUrl', { text: state.address.value, isPrivate });
  if (!answer.ok) {
    state.urlFailure.value = await state.withText(answer);
    return;
  }
  state.address.value = '';
  state.isFormOpen.value = false;
  state.clearForm();
  const before = {
    subject: state.subject.value,
    view: state.view.value,
    links: state.links.value,
  };
  setSubject(state, answer.data, '');
  await showOrCreate(state, answer.data);
  const view = state.view.value;
  if (view.name === 'secret') {
    state.view.value = { ...view, goBack: () => restoreView(state, before) };
  }
}

/** Switches to the URL with its tracking parameters. */
export async function useFullUrl(state: PopupState): Promise<void> {
  const { target, url } = state.subject.value;
  const createsLink = state.view.value.name === 'link';
  await switchTo(state, target?.fullUrl ?? url, { keepTracking: true, createsLink });
}

/** Switches from the page's canonical URL to the one in the tab. */
export async function useTabUrl(state: PopupState): Promise<void> {
  const { target, url } = state.subject.value;
  const createsLink = state.view.value.name === 'link';
  await switchTo(state, target?.tabUrl ?? url, { keepTracking: false, createsLink });
}

/** Removes the secret from the URL that the user was warned about. */
export async function removeSecret(state: PopupState): Promise<void> {
  const { target } = state.subject.value;
  const view = state.view.value;
  if (!target?.warning?.without || view.name !== 'secret') return;
  const keepTracking = target.url === target.fullUrl;
  // A request from the form continues with the form: a plain link would lack its password.
  const isPlain = view.proceed === state.shorten || view.proceed === state.createAnother;
  const proceed = async () => {
    state.view.value = view.before;
    await view.proceed();
  };
  await switchTo(state, target.warning.without, { keepTracking, createsLink: isPlain, proceed });
}

function restoreView(
  state: PopupState,
  before: { subject: Subject; view: View; links: LinkSummary[] },
): void {
  state.subject.value = before.subject;
  state.links.value = before.links;
  state.clearForm();
  // Its response arrived while something else was shown.
  if (before.view.name === 'working') void state.tryAgain();
  else state.view.value = before.view;
}

/** Continues with another form of the URL. */
async function switchTo(
  state: PopupState,
  text: string,
  {
    keepTracking,
    createsLink,
    proceed = state.showReady,
  }: { keepTracking: boolean; createsLink: boolean; proceed?: () => Promise<void> },
): Promise<void> {
  const subject = state.subject.value;
  const { isPrivate } = await state.page;
  const answer = await state.send('startUrl', { text, isPrivate, keepTracking });
  if (state.subject.value !== subject) return;
  if (!answer.ok) return state.showFailure(answer);
  setSubject(state, answer.data, subject.title);
  if (createsLink) await showOrCreate(state, answer.data);
  else if (state.confirmSecret(proceed)) await proceed();
}

function setSubject(state: PopupState, start: UrlStart, title: string): void {
  state.applyStart(start);
  state.links.value = start.links;
  state.subject.value = { url: start.target.url, title, target: start.target };
}

async function showOrCreate(state: PopupState, { existing }: UrlStart): Promise<void> {
  if (existing) await state.showLink(existing, { isExisting: true });
  else await state.shorten();
}
