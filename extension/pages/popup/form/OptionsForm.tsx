import { useEffect, useRef } from 'preact/hooks';
import { t } from '../../../../shared/i18n/translate.ts';
import { isEmpty, PLAIN_NAMES } from '../../../../shared/links/fields.ts';
import { Icon } from '../../../../shared/ui/Icon.tsx';
import { AliasField } from '../../../../shared/ui/link-form/AliasField.tsx';
import { AliasSuggestions } from '../../../../shared/ui/link-form/AliasSuggestions.tsx';
import { ExpiryFields } from '../../../../shared/ui/link-form/ExpiryFields.tsx';
import { focusFirstIssue } from '../../../../shared/ui/link-form/focus-first-issue.ts';
import { optionsOf } from '../../../../shared/ui/link-form/option-field.ts';
import { PasswordField } from '../../../../shared/ui/link-form/PasswordField.tsx';
import { PlainFields } from '../../../../shared/ui/link-form/PlainFields.tsx';
import { readCorrections } from '../../../../shared/ui/link-form/read-corrections.ts';
import { fieldsFor } from '../../../../shared/ui/link-form/to-request.ts';
import './form.css';
import type { PopupState } from '../state/popup-state.ts';
import { FormError } from './FormError.tsx';
import { SlowNotice } from './SlowNotice.tsx';

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
  const option = optionsOf(fields, issues, state.changeField);
  const failure = state.formFailure.value;
  const form = useRef<HTMLFormElement>(null);
  const advanced = useRef<HTMLDetailsElement>(null);
  const isAdvancedUsed = PLAIN_NAMES.some((name) => {
    const input = changed[name];
    // An empty title is not the page's.
    return input !== undefined && (name === 'title' || !isEmpty(input));
  });
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
        const submitted = state.submitForm(readCorrections(form));
        void submitted.then(() => requestAnimationFrame(() => showIssues(form)));
      }}
    >
      <AliasField
        host={serverOrigin && new URL(serverOrigin).host}
        hint={t('hint_alias')}
        {...option('alias')}
      />
      <AliasSuggestions
        aliases={failure?.suggestions}
        buttonClass="button chip"
        onChoose={(alias) => state.changeField('alias', alias)}
      />

      <ExpiryFields fields={fields} issues={issues} onChange={state.changeField} />

      <PasswordField {...option('password')} />

      <details class="advanced" ref={advanced}>
        <summary>
          <Icon name="chevron" />
          {t('advanced')}
        </summary>
        <div class="advanced-fields">
          <PlainFields form="popup" inputs={fields} issues={issues} onChange={state.changeField} />
        </div>
      </details>

      <div class="form-end">
        <FormError failure={failure} serverOrigin={serverOrigin} />
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
