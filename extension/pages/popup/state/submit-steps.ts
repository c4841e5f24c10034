import { t } from '../../../../shared/i18n/translate.ts';
import type { EditRequest } from '../../../../shared/links/edit-request.ts';
import type { LinkRecord } from '../../../../shared/links/link-record.ts';
import type { FormIssues, LinkForm } from '../../../../shared/ui/link-form/link-form.ts';
import type { PageLink, SavedLink } from '../../../links/link.ts';
import { clearForm, closeForm, reject, step } from './form-steps.ts';
import type {
  EditPurpose,
  Effect,
  EventOf,
  Intent,
  LinkNotice,
  Model,
  ReadForm,
  Step,
} from './popup-model.ts';
import {
  askAboutSecret,
  copyAgain,
  copyOf,
  copyText,
  isShown,
  ownLink,
  showFailure,
  showReady,
  showResult,
  withDomain,
} from './show-steps.ts';

/** Edits the link that is shown, unless an edit is under way. */
export function edit(model: Model, purpose: EditPurpose, changes: EditRequest): Step {
  const shown = ownLink(model);
  if (!shown || model.isSubmitting) return step(model);
  return step({ ...model, isSubmitting: true }, { do: 'edit', shown, purpose, changes });
}

export function changesRead(
  model: Model,
  { effect: { shown, unreadable }, form }: EventOf<'changes read'>,
): Step {
  if (model.isSubmitting || !isShown(model, shown)) return step(model);
  const checked = check(model, form, unreadable);
  if (!form.ok || hasIssues(checked)) return step(checked);
  if (Object.keys(form.changes).length === 0) return closeForm(checked);
  return edit(checked, model.isAliasEdited ? 'rename' : 'form', form.changes);
}

const NOTICES: Record<EditPurpose, LinkNotice> = {
  form: 'link_saved',
  rename: 'link_saved',
  move: 'link_saved',
  pause: 'link_paused',
  resume: 'link_resumed',
};

export function edited(model: Model, { effect, now, rejection }: EventOf<'edited'>): Step {
  const { shown, purpose } = effect;
  const done = { ...model, isSubmitting: false };
  const { model: next, effects } = now ? showEdited(done, now) : step(done);
  if (!isShown(next, shown)) return { model: next, effects };
  if (rejection) return { model: reject(next, rejection), effects };
  const isForm = purpose === 'form' || purpose === 'rename';
  const saved = isForm ? clearForm(next) : reject(next, undefined);
  const noticed = notify(saved, NOTICES[purpose]);
  if (purpose !== 'rename') return reCopy(noticed, effects);
  return copyAgain(noticed);
}

/** Shows a link as it is after it was edited. If it was copied, the clipboard follows. */
function showEdited(model: Model, { serverOrigin, requestedUrl: _, ...link }: SavedLink): Step {
  const isSame = ({ id }: PageLink) => id === link.id;
  const links = model.links.map((one) => (isSame(one) ? link : one));
  const { view } = model;
  if (view.name !== 'link' || !isSame(view.link)) return step({ ...model, links });
  const reference = { serverOrigin, shortUrl: link.shortUrl };
  const next = { ...model, links, view: { ...view, link, reference } };
  const isStale = view.copy === 'done' && copyText(model, link) !== copyText(model, view.link);
  return isStale ? copyAgain(next) : step(next);
}

/** A copy that is to be made is of the view as it is now. */
function reCopy(model: Model, effects: Effect[]): Step {
  const { view } = model;
  if (effects.length === 0 || view.name !== 'link') return { model, effects };
  return step(model, copyOf(model, view));
}

function notify(model: Model, notice: LinkNotice): Model {
  const { view } = model;
  return view.name === 'link' ? { ...model, view: { ...view, notice } } : model;
}

export function deleted(model: Model, { effect, rejection }: EventOf<'deleted'>): Step {
  const { shown, requestedUrl } = effect;
  const { link, reference } = shown;
  const isLeft = ({ shortUrl }: LinkRecord) => shortUrl !== link.shortUrl;
  const links = rejection ? model.links : model.links.filter(isLeft);
  // The user may have entered another URL meanwhile.
  if (!isShown(model, shown)) return step({ ...model, links });
  if (rejection) return step(reject(model, rejection));
  // With its draft: the next popup would open the form of a link that is gone.
  const { model: closed, effects } = closeForm({ ...model, links });
  const view = { name: 'deleted', link, reference, requestedUrl } as const;
  // What was in the clipboard before can't be read without a permission that browsers warn about.
  const empty = shown.copy === 'done' ? [{ do: 'empty clipboard' } as const] : [];
  return step({ ...closed, view }, ...effects, ...empty);
}

export function formRead(model: Model, { effect, form }: EventOf<'form read'>): Step {
  const { about, fields, unreadable } = effect;
  if (model.isSubmitting || model.subject !== about) return step(model);
  const checked = check(model, form, unreadable);
  if (!form.ok || hasIssues(checked)) return step(checked);
  const question = askAboutSecret(checked, { do: 'submit', fields }, true);
  if (question) return step(question);
  const { changes: request } = form;
  const { view } = checked;
  const submitting = {
    ...withDomain(checked, request.domain),
    isSubmitting: true,
    view: view.name === 'queued' ? ({ name: 'working' } as const) : view,
  };
  return step(submitting, { do: 'submit', about, fields, request });
}

export function submitted(model: Model, { effect, answer, rejection }: EventOf<'submitted'>): Step {
  const { about, fields } = effect;
  const done = { ...model, isSubmitting: false };
  if (model.subject !== about) return step(done);
  if (answer.ok) return showResult(done, answer);
  if (answer.queued) return showFailure(done, answer, { do: 'submit', fields });
  const isReady = model.view.name === 'ready';
  return step(reject(isReady ? done : reopenForm(done, fields), rejection));
}

function reopenForm(model: Model, changedFields: Partial<LinkForm>): Model {
  return showReady({ ...model, changedFields });
}

/** Marks the fields whose values can't be sent. */
function check(model: Model, form: ReadForm<unknown>, unreadable: FormIssues): Model {
  const issues = {
    ...(!form.ok && form.issues),
    ...unreadable,
    ...(model.lacksPassword && { password: t('field_password_again') }),
  };
  // Once: the user may have decided against a password.
  return { ...model, formFailure: undefined, issues, lacksPassword: false };
}

function hasIssues({ issues }: Model): boolean {
  return Object.keys(issues).length > 0;
}

export function queueRead(model: Model, { queued }: EventOf<'queue read'>): Step {
  const known = { ...model, queued };
  const { view } = model;
  if (view.name !== 'queued') return step(known);
  const { failure, intent } = view;
  const current = queued.find(({ id }) => id === failure.queued.id);
  // Discarded in the list below, or given up. One that succeeded was reported before this.
  if (!current) return step(leaveQueue(known, intent));
  if (current.retryAtMs === failure.queued.retryAtMs) return step(known);
  const { id, retryAtMs } = current;
  const { errorText: _, ...cause } = failure;
  return step(known, {
    do: 'explain',
    failure: { ...cause, queued: { id, retryAtMs } },
    shown: view,
    intent,
  });
}

/** After "Discard", the form has the submitted values. */
export function leaveQueue(model: Model, intent: Intent): Model {
  return intent.do === 'submit' ? reopenForm(model, intent.fields) : showReady(model);
}
