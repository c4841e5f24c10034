import { t } from '../../../../shared/i18n/translate.ts';
import { issuesLeft } from '../../../../shared/ui/link-form/form-issues.ts';
import type { FormIssues, LinkForm } from '../../../../shared/ui/link-form/link-form.ts';
import type { FormDraft } from '../../../links/form-schema.ts';
import type { Effect, Model, Rejection, Step } from './popup-model.ts';

export function step(model: Model, ...effects: Effect[]): Step {
  return { model, effects };
}

/** Shows why the server has rejected what was to be done; undefined if it has not. */
export function reject(model: Model, rejection: Rejection | undefined): Model {
  return { ...model, formFailure: rejection?.failure, issues: rejection?.issues ?? {} };
}

/** Changes fields. The background keeps a draft, because a popup can close at any time. */
export function changeForm(model: Model, changes: Partial<LinkForm>): Step {
  const { rules = [] } = model.changedFields;
  const issues = issuesLeft(model.issues, { rules }, changes);
  const isCleared = Object.keys(issues).length < Object.keys(model.issues).length;
  // The suggested aliases stay: the user may want another one.
  const isOver = isCleared && model.formFailure?.code !== 'alias_taken';
  const changed = {
    ...model,
    changedFields: { ...model.changedFields, ...changes },
    issues,
    ...(isOver && { formFailure: undefined }),
    ...(changes.password !== undefined && { lacksPassword: false }),
  };
  // An alias that is typed in place is no form.
  if (model.isAliasEdited) return step(changed);
  const next = { ...changed, keptDraft: undefined };
  return step(next, { do: 'save draft', draft: toDraft(next) });
}

export function hasChanges({ changedFields }: Model): boolean {
  return Object.keys(changedFields).length > 0;
}

export function toDraft({ changedFields, view, lacksPassword }: Model): FormDraft {
  const { password, ...fields } = changedFields;
  const hadPassword = lacksPassword || Boolean(password);
  const linkId = view.name === 'link' ? view.link.id : undefined;
  return { fields, ...(hadPassword && { hadPassword }), ...(linkId && { linkId }) };
}

/** Opens the form of the link that is shown, as it was when the popup closed. */
export function continueDraft(model: Model): Model {
  const { keptDraft } = model;
  if (!keptDraft) return model;
  return { ...restoreDraft({ ...model, keptDraft: undefined }, keptDraft), isFormOpen: true };
}

export function restoreDraft(model: Model, { fields, hadPassword }: FormDraft): Model {
  // Typed meanwhile, or before a second start.
  if (hasChanges(model)) return model;
  const restored = { ...model, changedFields: fields };
  if (!hadPassword) return restored;
  return { ...restored, lacksPassword: true, issues: { password: t('field_password_again') } };
}

/** Closes the form of the link that is shown, without its changes. */
export function closeForm(model: Model): Step {
  const hasDraft = model.isFormOpen && hasChanges(model);
  const cleared = clearForm(model);
  return step(cleared, ...(hasDraft ? [{ do: 'save draft', draft: undefined } as const] : []));
}

export function clearForm(model: Model): Model {
  return {
    ...model,
    isFormOpen: false,
    isAliasEdited: false,
    changedFields: {},
    lacksPassword: false,
    issues: {},
    formFailure: undefined,
  };
}

export function readForm(
  model: Model,
  fields: Partial<LinkForm>,
  unreadable: FormIssues = {},
): Step {
  if (model.isSubmitting) return step(model);
  return step(model, { do: 'read form', about: model.subject, fields, unreadable });
}
