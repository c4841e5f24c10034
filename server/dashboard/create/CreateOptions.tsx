import { t } from '../../../shared/i18n/translate.ts';
import { InputField } from '../../../shared/ui/InputField.tsx';
import { AliasField } from '../../../shared/ui/link-form/AliasField.tsx';
import { DestinationFields } from '../../../shared/ui/link-form/DestinationFields.tsx';
import { ExpiryFields } from '../../../shared/ui/link-form/ExpiryFields.tsx';
import { optionsOf } from '../../../shared/ui/link-form/option-field.ts';
import { PasswordField } from '../../../shared/ui/link-form/PasswordField.tsx';
import { PlainFields } from '../../../shared/ui/link-form/PlainFields.tsx';
import { StartFields } from '../../../shared/ui/link-form/StartFields.tsx';
import type { CreateState } from './create-state.ts';

/** Every option of the endpoint, the most used first. */
export function CreateOptions({ state, origin }: { state: CreateState; origin: string }) {
  const fields = state.fields.value;
  const issues = state.issues.value;
  // The default is the first.
  const domains = state.domains.value;
  const option = optionsOf(fields, issues, state.change);
  const host = fields.domain || (domains[0]?.host ?? new URL(origin).host);
  return (
    <>
      <AliasField
        host={host}
        hint={t('hint_alias')}
        domains={domains}
        onChooseDomain={(domain) => state.change('domain', domain)}
        {...option('alias')}
      />
      <ExpiryFields fields={fields} issues={issues} onChange={state.change} />
      <StartFields fields={fields} issue={issues.startsAt} onChange={state.change} />
      <PasswordField {...option('password')} username={`${host}/${fields.alias}`} />
      <InputField
        label={t('field_max_visits')}
        hint={t('hint_max_visits')}
        class="input short"
        inputMode="numeric"
        {...option('maxVisits')}
      />
      <PlainFields form="dashboard" inputs={fields} issues={issues} onChange={state.change} />
      <DestinationFields
        fields={fields}
        issues={issues}
        host={host}
        originalUrl={state.url.value}
        knowsCountries={state.knowsCountries}
        onChange={state.change}
      />
    </>
  );
}
