import { t } from '../../../../shared/i18n/translate.ts';
import { issuesLeft } from '../../../../shared/ui/link-form/form-issues.ts';
import type { FormIssues, LinkForm } from '../../../../shared/ui/link-form/link-form.ts';
import type { FormDraft } from '../../../links/form-schema.ts';
import type { PopupCore } from './popup-core.ts';

/** Changes fields. The background keeps a draft, because a popup can close at any time. */
export function changeForm(core: PopupCore, changes: Partial<LinkForm>): void {
  const { rules = [] } = core.changedFields.value;
  const left = issuesLeft(core.issues.value, { rules }, changes);
  const isCleared = Object.keys(left).length < Object.keys(core.issues.value).length;
  core.changedFields.value = { ...core.changedFields.value, ...changes };
  core.issues.value = left;
  // The suggested aliases stay: the user may want another one.
  if (isCleared && core.formFailure.value?.code !== 'alias_taken')
    core.formFailure.value = undefined;
  if (changes.password !== undefined) core.lacksPassword = false;
  // An alias that is typed in place is no form.
  if (core.isAliasEdited.value) return;
  core.keptDraft.value = undefined;
  void sendDraft(core, toDraft(core));
}

function toDraft(core: PopupCore): FormDraft {
  const { password, ...fields } = core.changedFields.value;
  const shown = core.view.value;
  const hadPassword = core.lacksPassword || Boolean(password);
  const linkId = shown.name === 'link' ? shown.link.id : undefined;
  return { fields, ...(hadPassword && { hadPassword }), ...(linkId && { linkId }) };
}

/**
 * Marks the fields whose values can't be sent.
 *
 * @param unreadable what the browser found wrong, such as text in a field for numbers
 * @returns whether there are none
 */
export function checkForm(
  core: PopupCore,
  parsed: { ok: true } | { ok: false; issues: FormIssues },
  unreadable: FormIssues,
): boolean {
  core.formFailure.value = undefined;
  core.issues.value = {
    ...(!parsed.ok && parsed.issues),
    ...unreadable,
    ...(core.lacksPassword && { password: t('field_password_again') }),
  };
  // Once: the user may have decided against a password.
  core.lacksPassword = false;
  return Object.keys(core.issues.value).length === 0;
}

/** Returns the tab whose draft the form is. A typed URL belongs to no tab. */
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

async function sendDraft(core: PopupCore, draft: FormDraft | undefined): Promise<void> {
  const tabId = await draftTabOf(core);
  const { url } = await core.page;
  if (tabId === undefined || !url) return;
  await core.send('saveDraft', { tabId, url, draft });
}
