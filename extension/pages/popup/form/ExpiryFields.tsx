import { t } from '../../../i18n/translate.ts';
import { Field } from '../../../ui/Field.tsx';
import {
  EXPIRY_UNITS,
  type ExpiryUnit,
  type FieldIssues,
  type FormFields,
} from '../state/form-fields.ts';

const KINDS = { never: 'expiry_never', date: 'expiry_date', duration: 'expiry_duration' } as const;

export type ExpiryFieldsProps = {
  fields: FormFields;
  issues: FieldIssues;
  onChange: <K extends keyof FormFields>(name: K, value: FormFields[K]) => void;
};

/** When the link stops working: never, at a moment, or a while after it is made. */
export function ExpiryFields({ fields, issues, onChange }: ExpiryFieldsProps) {
  return (
    <fieldset class="expiry">
      <legend class="label">{t('field_expiry')}</legend>
      <div class="choices">
        {Object.entries(KINDS).map(([kind, label]) => (
          <label class="choice" key={kind}>
            <input
              type="radio"
              name="expiry"
              value={kind}
              checked={fields.expiryKind === kind}
              onChange={() => onChange('expiryKind', kind as FormFields['expiryKind'])}
            />
            {t(label)}
          </label>
        ))}
      </div>
      {fields.expiryKind === 'date' && (
        <Field label={t('field_expiry_date')} issue={issues.expiryDate}>
          {(control) => (
            <input
              {...control}
              class="input"
              type="datetime-local"
              value={fields.expiryDate}
              onInput={(event) => onChange('expiryDate', event.currentTarget.value)}
            />
          )}
        </Field>
      )}
      {fields.expiryKind === 'duration' && (
        <div class="pair">
          <Field label={t('field_expiry_amount')} issue={issues.expiryAmount}>
            {(control) => (
              <input
                {...control}
                class="input"
                type="number"
                min={0}
                step="any"
                value={fields.expiryAmount}
                onInput={(event) => onChange('expiryAmount', event.currentTarget.value)}
              />
            )}
          </Field>
          <Field label={t('field_expiry_unit')}>
            {(control) => (
              <select
                {...control}
                class="input"
                value={fields.expiryUnit}
                onChange={(event) =>
                  onChange('expiryUnit', event.currentTarget.value as ExpiryUnit)
                }
              >
                {Object.entries(EXPIRY_UNITS).map(([unit, label]) => (
                  <option key={unit} value={unit}>
                    {t(label)}
                  </option>
                ))}
              </select>
            )}
          </Field>
        </div>
      )}
    </fieldset>
  );
}
