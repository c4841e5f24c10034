import { t } from '../../../i18n/translate.ts';
import { expiryFieldShown, type FormFields, issuesByField, toRequest } from './form-fields.ts';
import type { PopupState } from './popup-state.ts';

/** Makes a link with what stands in the form. */
export async function submitForm(state: PopupState, fields: FormFields): Promise<void> {
  if (state.isSubmitting.value) return;
  state.formFailure.value = undefined;
  const about = state.subject.value;
  const pending = toRequest(about.url, fields, Date.now());
  state.issues.value = pending.ok ? {} : pending.issues;
  if (!pending.ok || !state.maySend(() => submitForm(state, fields))) return;
  const before = state.view.value;
  if (before.name === 'queued') state.view.value = { name: 'working' };
  state.isSubmitting.value = true;
  const answer = await state.ask(pending.request);
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
    await state.refuse(
      answer,
      () => submitForm(state, fields),
      () => openAgain(state, fields),
    );
    return;
  }
  if (before.name === 'queued') openAgain(state, fields);
  state.formFailure.value = answer;
  state.issues.value = {
    ...issuesByField(answer.issues ?? [], fields),
    ...(answer.code === 'alias_taken' && { alias: t('alias_taken_title') }),
    ...(answer.code === 'expires_in_past' && {
      [expiryFieldShown(fields.expiryKind)]: t('expires_in_past_text'),
    }),
  };
}

/** With all that was written, though the form was left meanwhile. */
function openAgain(state: PopupState, fields: FormFields): void {
  state.fields.value = fields;
  state.isFormOpen.value = true;
  void state.getReady();
}
