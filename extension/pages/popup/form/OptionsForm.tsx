import { useEffect, useRef } from 'preact/hooks';
import {
  CUSTOM_ALIAS_MAX_CHARACTERS,
  DESCRIPTION_MAX_CHARACTERS,
  PASSWORD_MAX_CHARACTERS,
  TITLE_MAX_CHARACTERS,
  WAIT_TIMER_MAX_SECONDS,
} from '../../../../shared/limits.ts';
import { t } from '../../../i18n/translate.ts';
import { Field } from '../../../ui/Field.tsx';
import { Icon } from '../../../ui/Icon.tsx';
import './form.css';
import { type FieldName, type FormFields, fieldsFor } from '../state/form-fields.ts';
import type { PopupState } from '../state/popup-state.ts';
import { submitForm } from '../state/submit-form.ts';
import { ExpiryFields } from './ExpiryFields.tsx';
import { FormError } from './FormError.tsx';
import { PasswordField } from './PasswordField.tsx';
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
  const fields = state.fields.value ?? fieldsFor(state.subject.value.title);
  const issues = state.issues.value;
  const change =
    (name: Exclude<FieldName, 'expiryKind' | 'expiryUnit'>) =>
    (event: { currentTarget: { value: string } }) =>
      changeField(name, event.currentTarget.value);
  const failure = state.formFailure.value;
  function changeField<K extends FieldName>(name: K, value: FormFields[K]): void {
    // Based on the latest values, not on the rendered ones: autofill can change several fields at once.
    state.fields.value = { ...(state.fields.value ?? fields), [name]: value };
    const { [name]: issue, ...others } = state.issues.value;
    state.issues.value = others;
    // The suggested aliases stay: the user may want another one.
    if (issue && failure?.code !== 'alias_taken') state.formFailure.value = undefined;
  }
  async function submit(form: HTMLFormElement): Promise<void> {
    // A number field with other text has an empty value: the wait would silently be left out.
    const wait = form.querySelector<HTMLInputElement>('[name=wait]');
    const submitted = wait?.validity.badInput ? { ...fields, waitSeconds: NOT_A_NUMBER } : fields;
    await submitForm(state, submitted);
  }
  const form = useRef<HTMLFormElement>(null);
  const advanced = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    // Values entered there are visible when the form opens again.
    const { title, waitSeconds, description, container } = fields;
    const hasOwnTitle = title !== fieldsFor(state.subject.value.title).title;
    if (advanced.current && (hasOwnTitle || waitSeconds || description || container))
      advanced.current.open = true;
  }, []);
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
        void submit(form).then(() => requestAnimationFrame(() => focusFirstIssue(form)));
      }}
    >
      <Field label={t('field_alias')} hint={t('hint_alias')} issue={issues.alias}>
        {(control) => (
          <span class="prefixed" dir="ltr">
            <span class="prefix" aria-hidden="true">
              {serverOrigin && new URL(serverOrigin).host}/
            </span>
            <input
              {...control}
              class="input"
              value={fields.alias}
              onInput={change('alias')}
              maxLength={CUSTOM_ALIAS_MAX_CHARACTERS}
              autocomplete="off"
              autocapitalize="off"
              spellcheck={false}
            />
          </span>
        )}
      </Field>
      {failure?.suggestions && failure.suggestions.length > 0 && (
        <fieldset class="suggestions" aria-label={t('available_aliases')}>
          {failure.suggestions.map((alias) => (
            <button
              type="button"
              class="button chip"
              key={alias}
              aria-label={t('use_alias', alias)}
              onClick={() => changeField('alias', alias)}
            >
              {alias}
            </button>
          ))}
        </fieldset>
      )}

      <ExpiryFields fields={fields} issues={issues} onChange={changeField} />

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
          <Field label={t('field_title')} issue={issues.title}>
            {(control) => (
              <input
                {...control}
                class="input"
                value={fields.title}
                onInput={change('title')}
                maxLength={TITLE_MAX_CHARACTERS}
              />
            )}
          </Field>

          <Field
            label={t('field_wait')}
            hint={t('hint_wait', String(WAIT_TIMER_MAX_SECONDS))}
            issue={issues.waitSeconds}
          >
            {(control) => (
              <input
                {...control}
                class="input short"
                type="number"
                name="wait"
                min={0}
                max={WAIT_TIMER_MAX_SECONDS}
                value={fields.waitSeconds}
                onInput={change('waitSeconds')}
              />
            )}
          </Field>

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

          <Field label={t('field_container')} hint={t('hint_container')} issue={issues.container}>
            {(control) => (
              <input
                {...control}
                class="input"
                value={fields.container}
                onInput={change('container')}
                autocomplete="off"
                spellcheck={false}
              />
            )}
          </Field>
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

/** Moves the focus to the first invalid field, which may be out of view. */
function focusFirstIssue(form: HTMLFormElement): void {
  const invalid = form.querySelector<HTMLElement>('[aria-invalid="true"]');
  const closed = invalid?.closest('details');
  if (closed) closed.open = true;
  invalid?.focus();
  form.querySelector('.suggestions')?.scrollIntoView({ block: 'nearest' });
}
