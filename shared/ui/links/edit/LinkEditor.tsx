import { useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '../../../i18n/translate.ts';
import { CUSTOM_ALIAS_MAX_CHARACTERS } from '../../../limits.ts';
import { InputField } from '../../InputField.tsx';
import { isComposing } from '../../is-composing.ts';
import { focusFirstIssue } from '../../link-form/focus-first-issue.ts';
import { optionsOf } from '../../link-form/option-field.ts';
import { PlainFields } from '../../link-form/PlainFields.tsx';
import type { EditState } from '../state/edit-state.ts';
import { EditorOptions } from './EditorOptions.tsx';
import { SaveBar } from './SaveBar.tsx';

export type LinkEditorProps = { state: EditState; knownTags: string[] };

/** The form for a link, in its row. Escape closes it. */
export function LinkEditor({ state, knownTags }: LinkEditorProps) {
  const form = useRef<HTMLFormElement>(null);
  const fields = state.form.value;
  const issues = state.issues.value;
  useLayoutEffect(() => {
    // Not when the row is rendered again after it was scrolled away.
    if (state.takesFocus()) form.current?.querySelector('input')?.focus();
  }, []);
  const option = optionsOf(fields, issues, (name, value) => state.change({ [name]: value }));

  return (
    <form
      class="link-editor"
      ref={form}
      noValidate
      aria-label={t('link_edit')}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !isComposing(event))
          returnFocusAfter(form.current, state.close);
      }}
      onSubmit={(event) => {
        event.preventDefault();
        void save(event.currentTarget, state);
      }}
    >
      <div class="wide">
        <InputField
          label={t('field_target')}
          dir="ltr"
          inputMode="url"
          {...option('originalUrl')}
          autocomplete="off"
          spellcheck={false}
        />
      </div>
      <InputField
        label={t('field_alias')}
        hint={t('hint_new_alias')}
        dir="ltr"
        {...option('alias')}
        maxLength={CUSTOM_ALIAS_MAX_CHARACTERS}
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
      />
      <PlainFields
        form="list"
        inputs={fields}
        issues={issues}
        onChange={(name, value) => state.change({ [name]: value })}
        knownTags={knownTags}
      />
      <EditorOptions state={state} />
      <SaveBar state={state} onCancel={() => returnFocusAfter(form.current, state.close)} />
    </form>
  );
}

async function save(form: HTMLFormElement, state: EditState): Promise<void> {
  const row = form.closest('.row');
  await state.save(invalidNumbers(form));
  requestAnimationFrame(() => {
    if (form.isConnected) focusFirstIssue(form);
    else if (document.activeElement === document.body) focusEdit(row);
  });
}

/** Closes the form and moves the focus to where it was opened. */
function returnFocusAfter(form: HTMLFormElement | null, close: () => void): void {
  const row = form?.closest('.row') ?? null;
  close();
  requestAnimationFrame(() => focusEdit(row));
}

export function focusEdit(row: Element | null): void {
  row?.querySelector<HTMLElement>('[data-control=edit]')?.focus();
}

/** What is in a field for numbers or dates, but isn't one: its value is empty then. */
function invalidNumbers(form: HTMLFormElement) {
  const invalid = [...form.querySelectorAll('input')].filter(({ validity }) => validity.badInput);
  return Object.fromEntries(invalid.map(({ name }) => [name, t('field_number_invalid')]));
}
