import { issuesLeft } from '../../../../shared/ui/link-form/destination-inputs.ts';
import type { FormDraft, PopupFields } from '../../../links/form-fields.ts';
import type { PopupCore } from './popup-core.ts';

/** Changes one field. The background keeps a draft, because a popup can close at any time. */
export function changeField<K extends keyof PopupFields>(
  core: PopupCore,
  name: K,
  value: PopupFields[K],
): void {
  const { rules = [] } = core.changedFields.value;
  const left = issuesLeft(core.issues.value, { rules }, { [name]: value });
  const isCleared = Object.keys(left).length < Object.keys(core.issues.value).length;
  core.changedFields.value = { ...core.changedFields.value, [name]: value };
  core.issues.value = left;
  // The suggested aliases stay: the user may want another one.
  if (isCleared && core.formFailure.value?.code !== 'alias_taken')
    core.formFailure.value = undefined;
  if (name === 'password') core.lacksPassword = false;
  // An alias that is typed in place is no form.
  if (core.isAliasEdited.value) return;
  core.keptDraft.value = undefined;
  void saveDraft(core);
}

async function saveDraft(core: PopupCore): Promise<void> {
  await sendDraft(core, toDraft(core));
}

function toDraft(core: PopupCore): FormDraft {
  const { password, ...fields } = core.changedFields.value;
  const shown = core.view.value;
  const hadPassword = core.lacksPassword || Boolean(password);
  const linkId = shown.name === 'link' ? shown.link.serverState?.id : undefined;
  return { fields, ...(hadPassword && { hadPassword }), ...(linkId && { linkId }) };
}

/** The tab whose draft the form is. A typed URL belongs to no tab. */
export async function draftTabOf({ page, subject }: PopupCore): Promise<number | undefined> {
  return subject.value.isTyped ? undefined : (await page).tabId;
}

/** Closes the form of the link that is shown, and offers what was typed. */
export function leaveForm(core: PopupCore): void {
  const draft = Object.keys(core.changedFields.value).length > 0 ? toDraft(core) : undefined;
  clearForm(core);
  core.keptDraft.value = draft;
}

/** Closes the form of the link that is shown, without its changes. */
export async function closeForm(core: PopupCore): Promise<void> {
  const hasDraft = core.isFormOpen.value && Object.keys(core.changedFields.value).length > 0;
  clearForm(core);
  if (hasDraft) await sendDraft(core, undefined);
}

/** Discards the changes that a closed popup has left. */
export async function discardDraft(core: PopupCore): Promise<void> {
  core.keptDraft.value = undefined;
  await sendDraft(core, undefined);
}

export function clearForm(core: PopupCore): void {
  core.isFormOpen.value = false;
  core.isAliasEdited.value = false;
  core.changedFields.value = {};
  core.lacksPassword = false;
  core.issues.value = {};
  core.formFailure.value = undefined;
}

async function sendDraft(
  core: PopupCore,
  draft: Parameters<typeof core.send<'saveDraft'>>[1]['draft'],
): Promise<void> {
  const tabId = await draftTabOf(core);
  const { url } = await core.page;
  if (tabId === undefined || !url) return;
  await core.send('saveDraft', { tabId, url, draft });
}
