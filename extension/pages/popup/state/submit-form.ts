import { t } from '../../../i18n/translate.ts';
import { expiryFieldShown, type FormFields, issuesByField, toRequest } from './form-fields.ts';
import type { PopupState } from './popup-state.ts';

/** Creates a link from the form's values. */
export async function submitForm(state: PopupState, fields: FormFields): Promise<void> {
  if (state.isSubmitting.value) return;
  state.formFailure.value = undefined;
  const about = state.subject.value;
  const parsed = toRequest(about.url, fields, Date.now());
  state.issues.value = parsed.ok ? {} : parsed.issues;
  if (!parsed.ok || !state.confirmSecret(() => submitForm(state, fields))) return;
  const before = state.view.value;
  if (before.name === 'queued') state.view.value = { name: 'working' };
  state.isSubmitting.value = true;
  const answer = await state.requestLink(parsed.request);
  state.isSubmitting.value = false;
  if (state.subject.value !== about) return;
  if (answer.ok) {
    state.isFormOpen.value = false;
    state.clearForm();
    await state.showResult(answer);
    return;
  }
  if (answer.queued) {
    state.isFormOpen.value = false;
    await state.showFailure(
      answer,
      () => submitForm(state, fields),
      () => reopenForm(state, fields),
    );
    return;
  }
  if (before.name === 'queued') reopenForm(state, fields);
  state.formFailure.value = answer;
  state.issues.value = {
    ...issuesByField(answer.issues ?? [], fields),
    ...(answer.code === 'alias_taken' && { alias: t('alias_taken_title') }),
    ...(answer.code === 'expires_in_past' && {
      [expiryFieldShown(fields.expiryKind)]: t('expires_in_past_text'),
    }),
  };
}

/** Restores the submitted values, even if the form was closed meanwhile. */
function reopenForm(state: PopupState, fields: FormFields): void {
  state.fields.value = fields;
  state.isFormOpen.value = true;
  void state.showReady();
}
