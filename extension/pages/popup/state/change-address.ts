import type { LinkSummary } from '../../../links/link.ts';
import type { AddressStart } from '../../../messaging/protocol.ts';
import type { PopupState } from './popup-state.ts';
import type { Subject, View } from './view.ts';

/** Shortens the address that was written. What is wrong with it leaves what is shown in place. */
export async function shortenAddress(state: PopupState): Promise<void> {
  state.urlFailure.value = undefined;
  const { isPrivate } = await state.page;
  const answer = await state.send('startAddress', { text: state.address.value, isPrivate });
  if (!answer.ok) {
    state.urlFailure.value = await state.explained(answer);
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
  takeSubject(state, answer.data, '');
  await showOrMake(state, answer.data);
  const asking = state.view.value;
  if (asking.name === 'secret') {
    state.view.value = { ...asking, goBack: () => goBackTo(state, before) };
  }
}

/** Goes back to what cleaning has taken out of the address. */
export async function useFullAddress(state: PopupState): Promise<void> {
  const { plan, url } = state.subject.value;
  const isMade = state.view.value.name === 'link';
  await switchTo(state, plan?.fullUrl ?? url, { keepTracking: true, isMade });
}

/** Goes back from the address that the page names to the one that the tab shows. */
export async function useTabAddress(state: PopupState): Promise<void> {
  const { plan, url } = state.subject.value;
  const isMade = state.view.value.name === 'link';
  await switchTo(state, plan?.tabUrl ?? url, { keepTracking: false, isMade });
}

/** Takes the secret out of the address that the user is asked about. */
export async function leaveSecretOut(state: PopupState): Promise<void> {
  const { plan } = state.subject.value;
  const asked = state.view.value;
  if (!plan?.warning?.without || asked.name !== 'secret') return;
  const keepTracking = plan.url === plan.fullUrl;
  // What the form asked for goes on as the form: a plain link would lack its password.
  const isMade = asked.goOn === state.shorten || asked.goOn === state.makeNew;
  const goOn = async () => {
    state.view.value = asked.before;
    await asked.goOn();
  };
  await switchTo(state, plan.warning.without, { keepTracking, isMade, goOn });
}

function goBackTo(
  state: PopupState,
  before: { subject: Subject; view: View; links: LinkSummary[] },
): void {
  state.subject.value = before.subject;
  state.links.value = before.links;
  state.clearForm();
  // Its answer came while something else was shown.
  if (before.view.name === 'working') void state.tryAgain();
  else state.view.value = before.view;
}

/** Takes another form of the address for the one at hand. */
async function switchTo(
  state: PopupState,
  text: string,
  {
    keepTracking,
    isMade,
    goOn = state.getReady,
  }: { keepTracking: boolean; isMade: boolean; goOn?: () => Promise<void> },
): Promise<void> {
  const about = state.subject.value;
  const { isPrivate } = await state.page;
  const answer = await state.send('startAddress', { text, isPrivate, keepTracking });
  if (state.subject.value !== about) return;
  if (!answer.ok) return state.refuse(answer);
  takeSubject(state, answer.data, about.title);
  if (isMade) await showOrMake(state, answer.data);
  else if (state.maySend(goOn)) await goOn();
}

function takeSubject(state: PopupState, start: AddressStart, title: string): void {
  state.takeOver(start);
  state.links.value = start.links;
  state.subject.value = { url: start.plan.url, title, plan: start.plan };
}

async function showOrMake(state: PopupState, { existing }: AddressStart): Promise<void> {
  if (existing) await state.showLink(existing, { isExisting: true });
  else await state.shorten();
}
