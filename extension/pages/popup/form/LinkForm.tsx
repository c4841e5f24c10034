import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '../../../../shared/i18n/translate.ts';
import { definitionOf, isEmpty, PLAIN_NAMES } from '../../../../shared/links/fields.ts';
import { plainValuesOf } from '../../../../shared/links/shown-link.ts';
import { Disclosure } from '../../../../shared/ui/Disclosure.tsx';
import { InputField } from '../../../../shared/ui/InputField.tsx';
import { isComposing } from '../../../../shared/ui/is-composing.ts';
import { AliasField } from '../../../../shared/ui/link-form/AliasField.tsx';
import { AliasSuggestions } from '../../../../shared/ui/link-form/AliasSuggestions.tsx';
import { Checkbox } from '../../../../shared/ui/link-form/Checkbox.tsx';
import { DestinationFields } from '../../../../shared/ui/link-form/DestinationFields.tsx';
import { EMPTY_DESTINATIONS } from '../../../../shared/ui/link-form/destination-inputs.ts';
import { ExpiryFields } from '../../../../shared/ui/link-form/ExpiryFields.tsx';
import { focusFirstIssue } from '../../../../shared/ui/link-form/focus-first-issue.ts';
import { optionsOf } from '../../../../shared/ui/link-form/option-field.ts';
import { PasswordField } from '../../../../shared/ui/link-form/PasswordField.tsx';
import { PlainFields } from '../../../../shared/ui/link-form/PlainFields.tsx';
import { readCorrections } from '../../../../shared/ui/link-form/read-corrections.ts';
import { StartFields } from '../../../../shared/ui/link-form/StartFields.tsx';
import './form.css';
import { linkFields, newLinkFields } from './edit-fields.ts';
import { FormEnd, type LinkFormProps } from './FormEnd.tsx';

/** The options of the link that is shown, or of one to create. */
export function LinkForm({ state, serverOrigin, onClose }: LinkFormProps) {
  const view = state.view.value;
  const link = view.name === 'link' ? view.link : undefined;
  const changed = state.changedFields.value;
  const before = link ? linkFields(link) : newLinkFields(state.subject.value.title);
  const fields = { ...before, ...changed };
  const issues = state.issues.value;
  const domains = state.domains.value;
  const host = fields.domain || domains?.chosen || (serverOrigin && new URL(serverOrigin).host);
  const option = optionsOf(fields, issues, state.changeField);
  const isAdvancedUsed =
    ADVANCED.some((name) => name in changed || (link && !isEmpty(plainValuesOf(link)[name]))) ||
    DESTINATIONS.some((name) => !isEmpty(fields[name]));
  const form = useRef<HTMLFormElement>(null);
  const knownTags = useSignal<string[]>([]);
  const change = (name: keyof typeof fields, value: unknown) =>
    state.changeField(name, value as never);
  async function knowsCountries(): Promise<boolean> {
    if (!serverOrigin) return false;
    const answer = await state.send('readCountries', { serverOrigin });
    return answer.ok && answer.data;
  }
  const plain = { inputs: fields, issues, onChange: state.changeField };
  useLayoutEffect(() => {
    // Not away from a field in use.
    if (document.activeElement?.matches('input')) return;
    form.current?.querySelector('input')?.focus();
  }, []);
  useEffect(() => {
    void state.send('readTags', {}).then((answer) => {
      if (answer.ok) knownTags.value = answer.data.map(({ tag }) => tag);
    });
  }, []);

  return (
    <form
      class="form"
      ref={form}
      noValidate
      aria-label={t(link ? 'link_edit' : 'create_heading')}
      onKeyDown={(event) => {
        if (!link || event.key !== 'Escape' || isComposing(event)) return;
        // It would close the popup.
        event.preventDefault();
        state.leaveForm();
      }}
      onSubmit={(event) => {
        event.preventDefault();
        const form = event.currentTarget;
        const submitted = state.submitForm(readCorrections(form));
        void submitted.then(() => requestAnimationFrame(() => showIssues(form)));
      }}
    >
      <AliasField
        host={host}
        hint={t(link ? 'hint_new_alias' : 'hint_alias')}
        domains={domains?.domains}
        onChooseDomain={(domain) => state.changeField('domain', domain)}
        {...option('alias')}
      />
      <AliasSuggestions
        aliases={state.formFailure.value?.suggestions}
        buttonClass="button chip"
        onChoose={(alias) => state.changeField('alias', alias)}
      />
      {link && <InputField label={t('field_target')} isUrl {...option('originalUrl')} />}
      <PlainFields form="popup" knownTags={knownTags.value} {...plain} />
      <ExpiryFields fields={fields} issues={issues} onChange={change} />
      <StartFields fields={fields} issue={issues.startsAt} onChange={change} />
      <InputField
        label={t('field_max_visits')}
        hint={t('hint_max_visits')}
        class="input short"
        type="number"
        min={1}
        {...option('maxVisits')}
      />
      <PasswordField
        {...option('password')}
        username={`${host ?? ''}/${fields.alias}`}
        isNew={link?.hasPassword === true}
        disabled={fields.removesPassword}
      />
      {link?.hasPassword && (
        <Checkbox
          label={t('field_remove_password')}
          isChecked={fields.removesPassword}
          onChange={(removes) => state.changeField('removesPassword', removes)}
        />
      )}
      <Disclosure label={t('advanced')} isOpen={isAdvancedUsed}>
        <PlainFields form="popupAdvanced" {...plain} />
        <DestinationFields
          fields={fields}
          issues={issues}
          host={host ?? ''}
          originalUrl={link ? fields.originalUrl : state.subject.value.url}
          knowsCountries={knowsCountries}
          onChange={change}
        />
      </Disclosure>
      <FormEnd state={state} serverOrigin={serverOrigin} onClose={onClose} />
    </form>
  );
}

const ADVANCED = PLAIN_NAMES.filter((name) => definitionOf(name).forms.includes('popupAdvanced'));
const { startsAt: _, ...others } = EMPTY_DESTINATIONS;
const DESTINATIONS = Object.keys(others) as (keyof typeof others)[];

function showIssues(form: HTMLFormElement): void {
  focusFirstIssue(form);
  form.querySelector('.suggestions')?.scrollIntoView({ block: 'nearest' });
}
