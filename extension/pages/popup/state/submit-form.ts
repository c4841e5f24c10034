import { t } from '../../../../shared/i18n/translate.ts';
import { markFields } from '../../../../shared/ui/link-form/mark-fields.ts';
import { fieldOf, toRequest } from '../../../../shared/ui/link-form/to-request.ts';
import type { PopupFields } from '../../../links/form-fields.ts';
import { newLinkFields } from '../form/edit-fields.ts';
import { confirmSecret, requestLink } from './create-link.ts';
import { draftTabOf } from './form-draft.ts';
import type { PopupCore } from './popup-core.ts';
import { showFailure, showReady, showResult } from './show.ts';

/** Creates a link from the form's values. */
export async function submitForm(
  core: PopupCore,
  corrections: Partial<PopupFields>,
): Promise<void> {
  // The background may still be resolving the URL.
  await core.started;
  if (core.view.value.name !== 'ready') return;
  await submitFields(core, { ...core.changedFields.value, ...corrections });
}

async function submitFields(core: PopupCore, changed: Partial<PopupFields>): Promise<void> {
  if (core.isSubmitting.value) return;
  core.formFailure.value = undefined;
  const about = core.subject.value;
  const fields = { ...newLinkFields(about.title), ...changed };
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
  if (core.view.value.name === 'queued') core.view.value = { name: 'working' };
  core.isSubmitting.value = true;
  const answer = await requestLink(core, parsed.request, { draftTabId: await draftTabOf(core) });
  core.isSubmitting.value = false;
  if (core.subject.value !== about) return;
  if (answer.ok) return showResult(core, answer);
  // After "Discard", the form has the submitted values.
  if (answer.queued) return showFailure(core, answer, proceed, () => reopenForm(core, changed));
  if (core.view.value.name !== 'ready') reopenForm(core, changed);
  const marked = markFields(answer, (path) => fieldOf(path, fields));
  core.formFailure.value = marked.failure;
  core.issues.value = marked.issues;
}

function reopenForm(core: PopupCore, changed: Partial<PopupFields>): void {
  core.changedFields.value = changed;
  showReady(core);
}
