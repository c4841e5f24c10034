import { useEffect, useRef } from 'preact/hooks';
import { t } from '../../../../shared/i18n/translate.ts';
import {
  DESCRIPTION_MAX_CHARACTERS,
  PASSWORD_MAX_CHARACTERS,
  TITLE_MAX_CHARACTERS,
  WAIT_TIMER_MAX_SECONDS,
} from '../../../../shared/limits.ts';
import { Field } from '../../../../shared/ui/Field.tsx';
import { Icon } from '../../../../shared/ui/Icon.tsx';
import { InputField } from '../../../../shared/ui/InputField.tsx';
import { AliasField } from '../../../../shared/ui/link-form/AliasField.tsx';
import { AliasSuggestions } from '../../../../shared/ui/link-form/AliasSuggestions.tsx';
import { focusFirstIssue } from '../../../../shared/ui/link-form/focus-first-issue.ts';
import './form.css';
import { ExpiryFields } from '../../../../shared/ui/link-form/ExpiryFields.tsx';
import { PasswordField } from '../../../../shared/ui/link-form/PasswordField.tsx';
import { type FieldName, fieldsFor } from '../../../../shared/ui/link-form/to-request.ts';
import type { PopupState } from '../state/popup-state.ts';
import { FormError } from './FormError.tsx';
import { SlowNotice } from './SlowNotice.tsx';

/** Stands for text in the number field that isn't a number. */
const NOT_A_NUMBER = '?';

export type OptionsFormProps = {
  state: PopupState;
  serverOrigin: string | undefined;
  onClose: () => void;
};

/** Every field of the endpoint, the most used first. */
export function OptionsForm({ state, serverOrigin, onClose }: OptionsFormProps) {
  const changed = state.changedFields.value;
  const fields = { ...fieldsFor(state.subject.value.title), ...changed };
  const issues = state.issues.value;
  const change =
    (name: Exclude<FieldName, 'expiryKind' | 'expiryUnit'>) =>
    (event: { currentTarget: { value: string } }) =>
      state.changeField(name, event.currentTarget.value);
  const failure = state.formFailure.value;
  async function submit(form: HTMLFormElement): Promise<void> {
    // A number field with other text has an empty value: the wait would silently be left out.
    const wait = form.querySelector<HTMLInputElement>('[name=wait]');
    await state.submitForm(wait?.validity.badInput ? { waitSeconds: NOT_A_NUMBER } : {});
  }
  const form = useRef<HTMLFormElement>(null);
  const advanced = useRef<HTMLDetailsElement>(null);
  const { title, waitSeconds, description, container } = changed;
  const isAdvancedUsed = title !== undefined || Boolean(waitSeconds || description || container);
  useEffect(() => {
    // Values entered there are visible when the form opens again.
    if (advanced.current && isAdvancedUsed) advanced.current.open = true;
  }, [isAdvancedUsed]);
  useEffect(() => {
    if (state.isForOptions) form.current?.querySelector('input')?.focus();
  }, [state]);

  return (
    <form
      class="form"
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const form = event.currentTarget;
        void submit(form).then(() => requestAnimationFrame(() => showIssues(form)));
      }}
    >
      <AliasField
        host={serverOrigin && new URL(serverOrigin).host}
        hint={t('hint_alias')}
        issue={issues.alias}
        value={fields.alias}
        onInput={change('alias')}
      />
      <AliasSuggestions
        aliases={failure?.suggestions}
        buttonClass="button chip"
        onChoose={(alias) => state.changeField('alias', alias)}
      />

      <ExpiryFields fields={fields} issues={issues} onChange={state.changeField} />

      <Field label={t('field_password')} issue={issues.password}>
        {(control) => (
          <PasswordField
            control={control}
            value={fields.password}
            maxLength={PASSWORD_MAX_CHARACTERS}
            onInput={change('password')}
          />
        )}
      </Field>

      <details class="advanced" ref={advanced}>
        <summary>
          <Icon name="chevron" />
          {t('advanced')}
        </summary>
        <div class="advanced-fields">
          <InputField
            label={t('field_title')}
            issue={issues.title}
            value={fields.title}
            onInput={change('title')}
            maxLength={TITLE_MAX_CHARACTERS}
          />

          <InputField
            label={t('field_wait')}
            hint={t('hint_wait', String(WAIT_TIMER_MAX_SECONDS))}
            issue={issues.waitSeconds}
            class="input short"
            type="number"
            name="wait"
            min={0}
            max={WAIT_TIMER_MAX_SECONDS}
            value={fields.waitSeconds}
            onInput={change('waitSeconds')}
          />

          <Field label={t('field_description')} issue={issues.description}>
            {(control) => (
              <textarea
                {...control}
                class="input"
                value={fields.description}
                onInput={change('description')}
                maxLength={DESCRIPTION_MAX_CHARACTERS}
              />
            )}
          </Field>

          <InputField
            label={t('field_container')}
            hint={t('hint_container')}
            issue={issues.container}
            value={fields.container}
            onInput={change('container')}
            autocomplete="off"
            spellcheck={false}
          />
        </div>
      </details>

      <div class="form-end">
        <FormError
          failure={failure}
          serverOrigin={serverOrigin}
          isAtField={failure?.code === 'alias_taken' || Object.keys(issues).length > 0}
        />
        <SlowNotice
          // Otherwise the status line says so.
          isSlow={state.isSlow.value && state.view.value.name !== 'working'}
          serverOrigin={serverOrigin}
          onClose={onClose}
        />
        <button type="submit" class="button primary wide" aria-disabled={state.isSubmitting.value}>
          {t(state.isSubmitting.value ? 'working' : 'create_link')}
        </button>
      </div>
    </form>
  );
}

function showIssues(form: HTMLFormElement): void {
  focusFirstIssue(form);
  form.querySelector('.suggestions')?.scrollIntoView({ block: 'nearest' });
}
