import { useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '../../../../shared/i18n/translate.ts';
import { PASSWORD_MAX_CHARACTERS, TITLE_MAX_CHARACTERS } from '../../../../shared/limits.ts';
import { Field } from '../../../../shared/ui/Field.tsx';
import { InputField } from '../../../../shared/ui/InputField.tsx';
import { AliasField } from '../../../../shared/ui/link-form/AliasField.tsx';
import { ExpiryFields } from '../../../../shared/ui/link-form/ExpiryFields.tsx';
import { PasswordField } from '../../../../shared/ui/link-form/PasswordField.tsx';
import '../form/form.css';
import { editFieldsOf } from './edit-fields.ts';
import type { ManageState } from './manage-state.ts';

/** Alias, title, expiry and password of an existing link. Escape closes it. */
export function EditForm({ state }: { state: ManageState }) {
  const form = useRef<HTMLFormElement>(null);
  const { link, reference } = state.shown.value;
  const changed = state.changed.value;
  const fields = editFieldsOf(link, changed);
  const issues = state.issues.value;
  useLayoutEffect(() => form.current?.querySelector('input')?.focus(), []);

  async function save(): Promise<void> {
    await state.save();
    requestAnimationFrame(() => {
      const invalid = form.current?.querySelector('[aria-invalid="true"]');
      (invalid as HTMLElement | null | undefined)?.focus();
    });
  }

  return (
    <form
      class="form edit-form"
      ref={form}
      noValidate
      aria-label={t('link_edit')}
      onKeyDown={(event) => {
        // Escape ends an input method's composition first.
        if (event.key !== 'Escape' || event.isComposing) return;
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
        issue={issues.alias}
        value={fields.alias}
        onInput={(event) => state.change({ alias: event.currentTarget.value })}
      />
      <InputField
        label={t('field_title')}
        issue={issues.title}
        dir="auto"
        value={fields.title}
        onInput={(event) => state.change({ title: event.currentTarget.value })}
        maxLength={TITLE_MAX_CHARACTERS}
      />
      <ExpiryFields
        fields={fields}
        issues={issues}
        onChange={(name, value) => state.change({ [name]: value })}
      />
      <Field
        label={t(link.hasPassword ? 'field_new_password' : 'field_password')}
        issue={issues.password}
      >
        {(control) => (
          <PasswordField
            control={control}
            value={fields.password}
            maxLength={PASSWORD_MAX_CHARACTERS}
            onInput={(event) => state.change({ password: event.currentTarget.value })}
          />
        )}
      </Field>
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
