import { useEffect, useRef } from 'preact/hooks';
import { t } from '../../i18n/translate.ts';
import { InputField, SelectField } from '../Field.tsx';
import { expiryLabel } from './form-summaries.ts';
import { EXPIRY_KINDS, EXPIRY_UNITS, type FormIssues, type LinkForm } from './link-form.ts';
import { LOCAL_TIME_INPUT } from './local-time.ts';

type ExpiryFieldsProps = {
  form: LinkForm;
  issues: FormIssues;
  onChange: (changes: Partial<LinkForm>) => void;
};

/** Renders when the link expires: never, after a usual duration, or when the user says. */
export function ExpiryFields({ form, issues, onChange }: ExpiryFieldsProps) {
  return (
    <fieldset class="expiry">
      <legend class="label">{t('field_expiry')}</legend>
      <div class="choices">
        {EXPIRY_KINDS.map((kind) => (
          <label class="chip-choice" key={kind}>
            <input
              type="radio"
              name="expiry"
              value={kind}
              checked={form.expiryKind === kind}
              onChange={() => onChange({ expiryKind: kind })}
            />
            <span>{expiryLabel(kind)}</span>
          </label>
        ))}
      </div>
      {form.expiryKind === 'custom' && (
        <CustomExpiry form={form} issues={issues} onChange={onChange} />
      )}
    </fieldset>
  );
}

const UNIT_LABELS = { minutes: 'unit_minutes', hours: 'unit_hours', days: 'unit_days' } as const;

/** A duration or a time: entering one clears the other. */
function CustomExpiry({ form, issues, onChange }: ExpiryFieldsProps) {
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => {
    panel.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <div class="custom-expiry" ref={panel}>
      <div class="pair">
        <InputField
          label={t('field_expiry_amount')}
          issue={issues.expiryAmount}
          name="expiryAmount"
          type="number"
          min={0}
          step="any"
          value={form.expiryAmount}
          onInput={({ currentTarget: { value } }) =>
            onChange({ expiryAmount: value, ...(value && { expiresAt: '' }) })
          }
        />
        <SelectField
          label={t('field_expiry_unit')}
          options={EXPIRY_UNITS.map((value) => ({ value, label: t(UNIT_LABELS[value]) }))}
          value={form.expiryUnit}
          onChoose={(expiryUnit) => onChange({ expiryUnit })}
        />
      </div>
      <InputField
        label={t('field_expiry_date')}
        issue={issues.expiresAt}
        name="expiresAt"
        {...LOCAL_TIME_INPUT}
        value={form.expiresAt}
        onInput={({ currentTarget: { value } }) =>
          onChange({ expiresAt: value, ...(value && { expiryAmount: '' }) })
        }
      />
    </div>
  );
}
