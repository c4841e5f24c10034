import { useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '../../../i18n/translate.ts';
import type { DomainChoice } from '../../DomainSelect.tsx';
import { DraftNote } from '../../DraftNote.tsx';
import { InputField } from '../../InputField.tsx';
import { AliasField } from '../../link-form/AliasField.tsx';
import { DestinationFields } from '../../link-form/DestinationFields.tsx';
import { focusFirstIssue } from '../../link-form/focus-first-issue.ts';
import { optionsOf } from '../../link-form/option-field.ts';
import { PlainFields } from '../../link-form/PlainFields.tsx';
import type { EditState } from '../state/edit-state.ts';
import { ConflictDialog } from './ConflictDialog.tsx';
import { EditorOptions } from './EditorOptions.tsx';
import { SaveBar } from './SaveBar.tsx';

export type LinkEditorProps = {
  state: EditState;
  knownTags: string[];
  domains: DomainChoice[];
};

/** The form for a link, above the list. The focus returns to where it was when it closes. */
export function LinkEditor({ state, ...known }: LinkEditorProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const link = state.edited.value;
  useLayoutEffect(() => {
    if (link) dialog.current?.showModal();
    else dialog.current?.close();
  }, [link]);
  return (
    <dialog
      ref={dialog}
      class="dialog link-editor-dialog"
      aria-labelledby="editor-title"
      onClose={() => {
        // The event comes later: the form may be open again.
        if (!dialog.current?.open) state.leave();
      }}
    >
      {link && (
        <>
          <h2 id="editor-title">
            {t('link_edit')} <bdi dir="ltr">{link.shortUrl.replace(/^https?:\/\//, '')}</bdi>
          </h2>
          <Form state={state} {...known} />
          <ConflictDialog state={state} />
        </>
      )}
    </dialog>
  );
}

function Form({ state, knownTags, domains }: LinkEditorProps) {
  const form = useRef<HTMLFormElement>(null);
  const fields = state.form.value;
  const issues = state.issues.value;
  // At once: a late effect would take the focus from a field that the user has chosen since.
  useLayoutEffect(() => form.current?.querySelector('input')?.focus(), []);
  const option = optionsOf(fields, issues, (name, value) => state.change({ [name]: value }));

  return (
    <form
      class="link-editor"
      ref={form}
      noValidate
      aria-labelledby="editor-title"
      onSubmit={(event) => {
        event.preventDefault();
        void save(event.currentTarget, state);
      }}
    >
      <div class="wide">
        <DraftNote isShown={state.isRestored.value} onDiscard={state.discard} />
        <InputField label={t('field_target')} isUrl {...option('originalUrl')} />
      </div>
      <AliasField
        host={fields.domain}
        hint={t('hint_new_alias')}
        domains={domains}
        onChooseDomain={(domain) => state.change({ domain })}
        {...option('alias')}
      />
      <PlainFields
        form="list"
        inputs={fields}
        issues={issues}
        onChange={(name, value) => state.change({ [name]: value })}
        knownTags={knownTags}
      />
      <EditorOptions state={state} />
      <div class="wide field-group">
        <DestinationFields
          fields={fields}
          issues={issues}
          host={fields.domain}
          originalUrl={fields.originalUrl}
          knowsCountries={state.knowsCountries}
          onChange={(name, value) => state.change({ [name]: value })}
        />
      </div>
      <SaveBar state={state} onCancel={state.close} />
    </form>
  );
}

async function save(form: HTMLFormElement, state: EditState): Promise<void> {
  await state.save(invalidNumbers(form));
  requestAnimationFrame(() => {
    if (form.isConnected) focusFirstIssue(form);
  });
}

/** What is in a field for numbers or dates, but isn't one: its value is empty then. */
function invalidNumbers(form: HTMLFormElement) {
  const invalid = [...form.querySelectorAll('input')].filter(({ validity }) => validity.badInput);
  const textOf = ({ type }: HTMLInputElement) =>
    t(type === 'number' ? 'field_number_invalid' : 'rule_value_missing');
  return Object.fromEntries(invalid.map((input) => [input.name, textOf(input)]));
}
