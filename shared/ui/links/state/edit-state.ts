import { signal } from '@preact/signals';
import { t } from '../../../i18n/translate.ts';
import type { EditRequest } from '../../../links/edit-request.ts';
import { keyOf, type ShownLink } from '../../../links/shown-link.ts';
import { deleteDraft, readDraft, saveDraft } from '../../drafts.ts';
import { issuesLeft } from '../../link-form/destination-inputs.ts';
import { type Marked, markFields } from '../../link-form/mark-fields.ts';
import {
  checkForm,
  EMPTY_FORM,
  type FormIssues,
  fieldOf,
  type LinkForm,
  toChanges,
  toForm,
} from '../edit/link-form.ts';
import type { LinkFailure } from '../link-source.ts';
import type { ChangeTools } from './change-links.ts';
import { inverseOf } from './edit-changes.ts';
import { type Edit, revertEdit } from './revert-edit.ts';

/** The link was edited elsewhere since its form was opened. */
export type Conflict = {
  mine: EditRequest;
  /** As it was when the form was opened. */
  before: ShownLink;
  theirs: ShownLink;
};

export type EditState = ReturnType<typeof createEditState>;

/** The form that edits a link. */
export function createEditState(tools: ChangeTools) {
  const { source, loading, undo, report } = tools;

  /** The link in the form, if one is open. */
  const edited = signal<ShownLink | undefined>(undefined);
  const form = signal<LinkForm>(EMPTY_FORM);
  const issues = signal<FormIssues>({});
  const failure = signal<Marked<LinkFailure> | undefined>(undefined);
  const isSaving = signal(false);
  /** Whether the form has what was typed before it was left. */
  const isRestored = signal(false);
  /** Whether a password was typed then, which is not kept. */
  let lacksPassword = false;
  const conflict = signal<Conflict | undefined>(undefined);
  /** Grows whenever a form is opened or closed: an answer may be about one that isn't open any more. */
  let opened = 0;

  function open(link: ShownLink): void {
    const before = toForm(link);
    const draft = readDraft(draftOf(link), before);
    show(link, { ...before, ...draft?.fields });
    isRestored.value = draft !== undefined;
    lacksPassword = draft?.hadPassword === true;
    if (lacksPassword) issues.value = { password: t('field_password_again') };
  }

  function show(link: ShownLink, filledIn: LinkForm): void {
    opened += 1;
    edited.value = link;
    form.value = filledIn;
    issues.value = {};
    failure.value = undefined;
    isRestored.value = false;
    lacksPassword = false;
  }

  /** Closes the form and gives up what it has. */
  function close(): void {
    if (edited.value) deleteDraft(draftOf(edited.value));
    leave();
  }

  /** Closes the form, and keeps what was typed for the next time it is opened. */
  function leave(): void {
    opened += 1;
    edited.value = undefined;
  }

  /** Fills in the link as it is. */
  function discard(): void {
    const link = edited.value;
    if (!link) return;
    deleteDraft(draftOf(link));
    show(link, toForm(link));
  }

  function change(values: Partial<LinkForm>): void {
    const left = issuesLeft(issues.value, form.value, values);
    form.value = { ...form.value, ...values };
    const link = edited.value;
    if (values.password !== undefined) lacksPassword = false;
    if (link) saveDraft(draftOf(link), form.value, toForm(link), lacksPassword);
    if (Object.keys(left).length === Object.keys(issues.value).length) return;
    issues.value = left;
    // The suggested aliases stay: the user may want another one.
    if (failure.value?.code !== 'alias_taken') failure.value = undefined;
  }

  /**
   * Saves the form. It stays open if that fails.
   *
   * @param invalid what the browser found wrong, such as text in a field for numbers
   */
  async function save(invalid: FormIssues = {}): Promise<void> {
    const link = edited.value;
    if (link === undefined || isSaving.value) return;
    issues.value = { ...checkForm(form.value), ...invalid };
    failure.value = undefined;
    if (Object.keys(issues.value).length > 0) return;
    const changes = toChanges(form.value, toForm(link));
    if (Object.keys(changes).length === 0) return close();
    isSaving.value = true;
    await saveEdit(link, changes);
    isSaving.value = false;
  }

  async function saveEdit(link: ShownLink, changes: EditRequest): Promise<void> {
    const openedBefore = opened;
    const saved = await source.edit(link, changes, { isConditional: true });
    const isOpen = opened === openedBefore;
    if (saved.ok) {
      deleteDraft(draftOf(link));
      finish(link, changes, saved.data);
      if (isOpen) close();
      return;
    }
    if (saved.current) loading.put(saved.current);
    if (!isOpen) return report(saved.text);
    if (!saved.current) return fail(saved);
    conflict.value = { mine: changes, before: link, theirs: saved.current };
  }

  function finish(before: ShownLink, changes: EditRequest, saved: ShownLink): void {
    report(undefined);
    loading.put(saved, keyOf(before));
    const edit = { changes, before, after: saved };
    const readings = loading.readings();
    undo.push({
      text: t('link_saved'),
      shortUrl: saved.shortUrl,
      key: keyOf(before),
      undo: inverseOf(changes, before) && (() => revert(edit, readings)),
    });
  }

  async function revert(edit: Edit, readings: number): Promise<LinkFailure | undefined> {
    const reverted = await revertEdit(tools, edit);
    // The list may have another filter by now, which the link doesn't match.
    if (loading.readings() !== readings) await loading.refresh();
    else if (reverted.ok) loading.put(reverted.data);
    return reverted.ok ? undefined : reverted;
  }

  function fail(reason: LinkFailure): void {
    const marked = markFields(reason, fieldOf);
    failure.value = marked.failure;
    issues.value = marked.issues;
  }

  /** Saves the form's changes on top of those that were made elsewhere. */
  async function keepMine(): Promise<void> {
    const { mine, theirs } = conflict.value ?? {};
    conflict.value = undefined;
    if (!mine || !theirs || isSaving.value) return;
    isSaving.value = true;
    await saveEdit(theirs, mine);
    isSaving.value = false;
  }

  /** Gives up the form's changes. */
  function takeTheirs(): void {
    conflict.value = undefined;
    close();
  }

  /** Returns to the form, with its changes. */
  function dismissConflict(): void {
    conflict.value = undefined;
  }

  return {
    edited,
    form,
    issues,
    failure,
    isSaving,
    conflict,
    isRestored,
    open,
    close,
    leave,
    discard,
    change,
    save,
    keepMine,
    takeTheirs,
    dismissConflict,
    knowsCountries: () => source.knowsCountries(),
  };
}

/** The name of its draft. An alias can change, and belong to a link of another account later. */
function draftOf(link: ShownLink): string {
  return `edit:${link.serverState?.id ?? keyOf(link)}`;
}
