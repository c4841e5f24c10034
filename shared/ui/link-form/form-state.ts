import { signal } from '@preact/signals';
import { t } from '../../i18n/translate.ts';
import type { EditRequest } from '../../links/edit-request.ts';
import { deleteDraft, readDraft, saveDraft } from '../drafts.ts';
import { issuesLeft, type Marked, markFields, type ServerFailure } from './form-issues.ts';
import { EMPTY_FORM, type FormIssues, fieldOf, type LinkForm, toChanges } from './link-form.ts';

/** Creates the state of the form of a link: what is typed, kept as a draft, and what is wrong with it. */
export function createFormState<F extends ServerFailure>() {
  const form = signal<LinkForm>(EMPTY_FORM);
  const issues = signal<FormIssues>({});
  const failure = signal<Marked<F> | undefined>(undefined);
  /** Whether the form has what was typed before it was left. */
  const isRestored = signal(false);
  /** Whether a password was typed then, which is not kept. */
  let lacksPassword = false;
  let draftName = '';
  /** The form without a draft. */
  let filledIn = EMPTY_FORM;

  /** Fills in the form, with the draft of this name if there is one. */
  function open(name: string, before: LinkForm): void {
    draftName = name;
    filledIn = before;
    const draft = readDraft(name, before);
    show({ ...before, ...draft?.fields });
    isRestored.value = draft !== undefined;
    lacksPassword = draft?.hadPassword === true;
    if (lacksPassword) issues.value = { password: t('field_password_again') };
  }

  function show(shown: LinkForm): void {
    form.value = shown;
    issues.value = {};
    failure.value = undefined;
    isRestored.value = false;
    lacksPassword = false;
  }

  /** Starts over. */
  function discard(): void {
    deleteDraft(draftName);
    show(filledIn);
  }

  function change(values: Partial<LinkForm>): void {
    const left = issuesLeft(issues.value, form.value, values);
    const isCleared = Object.keys(left).length < Object.keys(issues.value).length;
    issues.value = left;
    // The suggested aliases stay: the user may want another one.
    if (isCleared && failure.value?.code !== 'alias_taken') failure.value = undefined;
    form.value = { ...form.value, ...values };
    if (values.password !== undefined) lacksPassword = false;
    saveDraft(draftName, form.value, filledIn, lacksPassword);
  }

  /**
   * Reads what the form changes.
   *
   * @param unreadable what the browser found wrong, such as text in a field for numbers
   * @returns undefined if it is not valid, which its fields say
   */
  function read(unreadable: FormIssues, before = filledIn): EditRequest | undefined {
    const parsed = toChanges(form.value, before, Date.now());
    issues.value = { ...(!parsed.ok && parsed.issues), ...unreadable };
    failure.value = undefined;
    return parsed.ok && Object.keys(unreadable).length === 0 ? parsed.changes : undefined;
  }

  /** Shows why the server has rejected the form. */
  function fail(reason: F): void {
    const marked = markFields(reason, (path) => fieldOf(path, form.value));
    failure.value = marked.failure;
    issues.value = marked.issues;
  }

  return { form, issues, failure, isRestored, open, show, discard, change, read, fail };
}
