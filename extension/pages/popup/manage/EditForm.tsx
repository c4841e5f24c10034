import { useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '../../../../shared/i18n/translate.ts';
import { isComposing } from '../../../../shared/ui/is-composing.ts';
import { AliasField } from '../../../../shared/ui/link-form/AliasField.tsx';
import { ExpiryFields } from '../../../../shared/ui/link-form/ExpiryFields.tsx';
import { focusFirstIssue } from '../../../../shared/ui/link-form/focus-first-issue.ts';
import { optionsOf } from '../../../../shared/ui/link-form/option-field.ts';
import { PasswordField } from '../../../../shared/ui/link-form/PasswordField.tsx';
import { PlainFields } from '../../../../shared/ui/link-form/PlainFields.tsx';
import '../form/form.css';
import { editFieldsOf } from './edit-fields.ts';
import type { ManageState } from './manage-state.ts';

/** The most used fields of an existing link. Escape closes it. */
export function EditForm({ state }: { state: ManageState }) {
  const form = useRef<HTMLFormElement>(null);
  const { link, reference } = state.shown.value;
  const changed = state.changed.value;
  const fields = editFieldsOf(link, changed);
  const issues = state.issues.value;
  const option = optionsOf(fields, issues, (name, value) => state.change({ [name]: value }));
  useLayoutEffect(() => form.current?.querySelector('input')?.focus(), []);

  async function save(): Promise<void> {
    await state.save();
    requestAnimationFrame(() => focusFirstIssue(form.current));
  }

  return (
    <form
      class="form edit-form"
      ref={form}
      noValidate
      aria-label={t('link_edit')}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || isComposing(event)) return;
        // It would close the popup.
        event.preventDefault();
        state.toggleForm();
      }}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <AliasField
        host={new URL(reference.serverOrigin).host}
        hint={t('hint_new_alias')}
        {...option('alias')}
      />
      <PlainFields
        form="popupEdit"
        inputs={fields}
        issues={issues}
        onChange={(name, value) => state.change({ [name]: value })}
      />
      <ExpiryFields
        fields={fields}
        issues={issues}
        onChange={(name, value) => state.change({ [name]: value })}
      />
      <PasswordField {...option('password')} isNew={link.hasPassword} />
      {link.hasPassword && (
        <label class="edit-check">
          <input
            type="checkbox"
            checked={changed.removesPassword === true}
            onChange={(event) => state.change({ removesPassword: event.currentTarget.checked })}
          />
          {t('field_remove_password')}
        </label>
      )}
      <div class="form-end">
        <div class="actions">
          <button type="submit" class="button primary" aria-disabled={state.isBusy.value}>
            {t(state.isBusy.value ? 'saving' : 'save')}
          </button>
          <button type="button" class="button" onClick={state.toggleForm}>
            {t('cancel')}
          </button>
        </div>
      </div>
    </form>
  );
}
