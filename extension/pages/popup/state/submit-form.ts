import { t } from '../../../../shared/i18n/translate.ts';
import type { FormFields } from '../../../../shared/ui/link-form/form-fields.ts';
import { markFields } from '../../../../shared/ui/link-form/mark-fields.ts';
import { fieldOf, fieldsFor, toRequest } from '../../../../shared/ui/link-form/to-request.ts';
import { confirmSecret, requestLink } from './create-link.ts';
import { clearForm } from './edit-form.ts';
import type { PopupCore } from './popup-core.ts';
import { showFailure, showReady, showResult } from './show.ts';

/**
 * Creates a link from the form's values.
 *
 * @param corrections values of fields that the browser doesn't report, such as text in a number field
 */
export async function submitForm(
  core: PopupCore,
  corrections: Partial<FormFields> = {},
): Promise<void> {
  await submitFields(core, { ...core.changedFields.value, ...corrections });
}

async function submitFields(core: PopupCore, changed: Partial<FormFields>): Promise<void> {
  if (core.isSubmitting.value) return;
  core.formFailure.value = undefined;
  const about = core.subject.value;
  const fields = { ...fieldsFor(about.title), ...changed };
  const parsed = toRequest(about.url, fields, Date.now());
  core.issues.value = {
    ...(!parsed.ok && parsed.issues),
    ...(core.lacksPassword && { password: t('field_password_again') }),
  };
  const proceed = () => submitFields(core, changed);
  // Once: the user may have decided against a password.
  const lackedPassword = core.lacksPassword;
  core.lacksPassword = false;
  if (lackedPassword || !parsed.ok || !confirmSecret(core, proceed, { isForForm: true })) return;
  const before = core.view.value;
  if (before.name === 'queued') core.view.value = { name: 'working' };
  core.isSubmitting.value = true;
  const draftTabId = about.isTyped ? undefined : (await core.page).tabId;
  const answer = await requestLink(core, parsed.request, { draftTabId });
  core.isSubmitting.value = false;
  if (core.subject.value !== about) return;
  if (answer.ok) {
    core.isFormOpen.value = false;
    clearForm(core);
    await showResult(core, answer);
    return;
  }
  if (answer.queued) {
    core.isFormOpen.value = false;
    await showFailure(core, answer, proceed, () => reopenForm(core, changed));
    return;
  }
  if (before.name === 'queued') reopenForm(core, changed);
  const marked = markFields(answer, (path) => fieldOf(path, fields));
  core.formFailure.value = marked.failure;
  core.issues.value = marked.issues;
}

/** Restores the submitted values, even if the form was closed meanwhile. */
function reopenForm(core: PopupCore, changed: Partial<FormFields>): void {
  core.changedFields.value = changed;
  core.isFormOpen.value = true;
  showReady(core);
}
