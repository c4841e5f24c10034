import { effect, type Signal, signal, untracked } from '@preact/signals';
import type { Explained } from '../../../client.ts';
import { t } from '../../../i18n/translate.ts';
import type { EditRequest } from '../../../links/edit-request.ts';
import type { LinkRecord } from '../../../links/link-record.ts';
import { deleteDraft } from '../../drafts.ts';
import { createFormState } from '../../link-form/form-state.ts';
import { type FormIssues, toForm } from '../../link-form/link-form.ts';
import type { ChangeTools } from './change-links.ts';
import { type Edit, inverseOf, revertEdit } from './revert-edit.ts';

/** The link was edited elsewhere since its form was opened. */
export type Conflict = {
  mine: EditRequest;
  /** As it was when the form was opened. */
  before: LinkRecord;
  theirs: LinkRecord;
};

export type EditState = ReturnType<typeof createEditState>;

/**
 * Creates the state of the form that edits a link.
 *
 * @param edited the link in the form, if one is open
 */
export function createEditState(tools: ChangeTools, edited: Signal<LinkRecord | undefined>) {
  const { source, loading, undo, report } = tools;

  const state = createFormState<Explained>();
  const isSaving = signal(false);
  const conflict = signal<Conflict | undefined>(undefined);
  /** Grows whenever a form is opened or closed: an answer may be about one that isn't open any more. */
  let opened = 0;

  effect(() => {
    const link = edited.value;
    untracked(() => {
      opened += 1;
      if (link) state.open(draftOf(link), toForm(link));
    });
  });

  /** Closes the form and gives up what it has. */
  function close(): void {
    if (edited.value) deleteDraft(draftOf(edited.value));
    leave();
  }

  /** Closes the form, and keeps what was typed for the next time it is opened. */
  function leave(): void {
    edited.value = undefined;
  }

  /**
   * Saves the form. It stays open if that fails.
   *
   * @param invalid what the browser found wrong, such as text in a field for numbers
   */
  async function save(invalid: FormIssues = {}): Promise<void> {
    const link = edited.value;
    if (link === undefined || isSaving.value) return;
    const changes = state.read(invalid);
    if (!changes) return;
    if (Object.keys(changes).length === 0) return close();
    isSaving.value = true;
    await saveEdit(link, changes);
    isSaving.value = false;
  }

  async function saveEdit(link: LinkRecord, changes: EditRequest): Promise<void> {
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
    if (!saved.current) return state.fail(saved);
    if (!isContested(changes, link, saved.current)) return saveEdit(saved.current, changes);
    conflict.value = { mine: changes, before: link, theirs: saved.current };
  }

  function finish(before: LinkRecord, changes: EditRequest, saved: LinkRecord): void {
    report(undefined);
    loading.put(saved, before.id);
    const edit = { changes, before, after: saved };
    const readings = loading.readings();
    undo.push({
      text: t('link_saved'),
      shortUrl: saved.shortUrl,
      key: before.id,
      undo: inverseOf(changes, before) && (() => revert(edit, readings)),
    });
  }

  async function revert(edit: Edit, readings: number): Promise<Explained | undefined> {
    const reverted = await revertEdit(tools, edit);
    // The list may have another filter by now, which the link doesn't match.
    if (loading.readings() !== readings) await loading.refresh();
    else if (reverted.ok) loading.put(reverted.data);
    return reverted.ok ? undefined : reverted;
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
    ...state,
    edited,
    isSaving,
    conflict,
    close,
    leave,
    save,
    keepMine,
    takeTheirs,
    dismissConflict,
    abilities: () => source.abilities(),
  };
}

/** The name of its draft. An alias can change, and belong to a link of another account later. */
function draftOf(link: LinkRecord): string {
  return `edit:${link.id}`;
}

/** Whether somebody else has changed a field that is edited here, too. */
function isContested(changes: EditRequest, before: LinkRecord, theirs: LinkRecord): boolean {
  const [was, is] = [before, theirs].map((link) => inverseOf(changes, link));
  // Nobody can say whether it is another password.
  if (!was) return true;
  return JSON.stringify(was) !== JSON.stringify(is);
}
