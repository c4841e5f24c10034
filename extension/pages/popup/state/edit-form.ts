import type { FormFields } from '../../../../shared/ui/link-form/form-fields.ts';
import type { PopupCore } from './popup-core.ts';

/** Changes one field. The background keeps a draft, because a popup can close at any time. */
export function changeField<K extends keyof FormFields>(
  core: PopupCore,
  name: K,
  value: FormFields[K],
): void {
  core.changedFields.value = { ...core.changedFields.value, [name]: value };
  const { [name]: issue, ...others } = core.issues.value;
  core.issues.value = others;
  // The suggested aliases stay: the user may want another one.
  if (issue && core.formFailure.value?.code !== 'alias_taken') core.formFailure.value = undefined;
  if (name === 'password') core.lacksPassword = false;
  void saveDraft(core);
}

async function saveDraft(core: PopupCore): Promise<void> {
  const { page, send } = core;
  const { password, ...fields } = core.changedFields.value;
  const { isTyped } = core.subject.value;
  const hadPassword = core.lacksPassword || Boolean(password);
  const { tabId, url } = await page;
  // A typed URL belongs to no tab.
  if (isTyped || tabId === undefined || !url) return;
  await send('saveDraft', { tabId, url, draft: { fields, ...(hadPassword && { hadPassword }) } });
}

export function clearForm(core: PopupCore): void {
  core.changedFields.value = {};
  core.lacksPassword = false;
  core.issues.value = {};
  core.formFailure.value = undefined;
}
