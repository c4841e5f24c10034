import { useEffect, useRef } from 'preact/hooks';
import { t } from '../../i18n/translate.ts';
import { InputField } from '../InputField.tsx';
import { SelectField } from '../SelectField.tsx';
import { EXPIRY_UNITS, type FormFields } from './form-fields.ts';
import { LOCAL_TIME_INPUT } from './local-time.ts';
import type { FieldIssues } from './to-request.ts';

const UNIT_LABELS = { minutes: 'unit_minutes', hours: 'unit_hours', days: 'unit_days' } as const;

export type ExpiryFieldsProps = {
  fields: FormFields;
  issues: FieldIssues;
  onChange: <K extends keyof FormFields>(name: K, value: FormFields[K]) => void;
};

/** A duration or a date: entering one clears the other. */
export function CustomExpiry({ fields, issues, onChange }: ExpiryFieldsProps) {
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => {
    panel.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  function changeAmount(amount: string): void {
    onChange('expiryAmount', amount);
    if (amount && fields.expiryDate) onChange('expiryDate', '');
  }
  function changeDate(date: string): void {
    onChange('expiryDate', date);
    if (date && fields.expiryAmount) onChange('expiryAmount', '');
  }
  return (
    <div class="custom-expiry" ref={panel}>
      <div class="pair">
        <InputField
          label={t('field_expiry_amount')}
          issue={issues.expiryAmount}
          type="number"
          min={0}
          step="any"
          value={fields.expiryAmount}
          onInput={(event) => changeAmount(event.currentTarget.value)}
        />
        <SelectField
          label={t('field_expiry_unit')}
          options={EXPIRY_UNITS.map((value) => ({ value, label: t(UNIT_LABELS[value]) }))}
          value={fields.expiryUnit}
          onChoose={(unit) => onChange('expiryUnit', unit)}
        />
      </div>
      <InputField
        label={t('field_expiry_date')}
        issue={issues.expiryDate}
        {...LOCAL_TIME_INPUT}
        value={fields.expiryDate}
        onInput={(event) => changeDate(event.currentTarget.value)}
      />
    </div>
  );
}
