import { shownLanguage, t } from '../../../i18n/translate.ts';
import { Field } from '../../../ui/Field.tsx';
import {
  EXPIRY_PRESETS,
  EXPIRY_UNITS,
  type ExpiryPreset,
  type ExpiryUnit,
  type FieldIssues,
  type FormFields,
} from '../state/form-fields.ts';

const UNIT_NAMES = { minutes: 'minute', hours: 'hour', days: 'day' } as const;

export type ExpiryFieldsProps = {
  fields: FormFields;
  issues: FieldIssues;
  onChange: <K extends keyof FormFields>(name: K, value: FormFields[K]) => void;
};

/** When the link expires: never, at a date, or some time after it is created. */
export function ExpiryFields({ fields, issues, onChange }: ExpiryFieldsProps) {
  return (
    <fieldset class="expiry">
      <legend class="label">{t('field_expiry')}</legend>
      <div class="choices">
        {kinds().map(([kind, label]) => (
          <label class="chip-choice" key={kind}>
            <input
              type="radio"
              name="expiry"
              value={kind}
              checked={fields.expiryKind === kind}
              onChange={() => onChange('expiryKind', kind)}
            />
            <span>{label}</span>
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

/** Presets first, then the choices that show a field. */
function kinds(): [FormFields['expiryKind'], string][] {
  const presets = Object.entries(EXPIRY_PRESETS).map(([kind, { amount, unit }]) => {
    const format = { style: 'unit', unit: UNIT_NAMES[unit], unitDisplay: 'long' } as const;
    const label = new Intl.NumberFormat(shownLanguage(), format).format(amount);
    return [kind as ExpiryPreset, label] as [ExpiryPreset, string];
  });
  return [
    ['never', t('expiry_never')],
    ...presets,
    ['date', t('expiry_date')],
    ['duration', t('expiry_duration')],
  ];
}
