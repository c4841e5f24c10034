import { formatTag, t } from '../../i18n/translate.ts';
import { CustomExpiry, type ExpiryFieldsProps } from './CustomExpiry.tsx';
import { EXPIRY_KINDS, type ExpiryUnit, type FormFields } from './form-fields.ts';
import { EXPIRY_PRESETS } from './to-request.ts';

const UNIT_NAMES = { minutes: 'minute', hours: 'hour', days: 'day' } as const satisfies Record<
  ExpiryUnit,
  string
>;

/** When the link expires: never, after a usual duration, or when the user says. */
export function ExpiryFields({ fields, issues, onChange }: ExpiryFieldsProps) {
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
              checked={fields.expiryKind === kind}
              onChange={() => onChange('expiryKind', kind)}
            />
            <span>{labelOf(kind)}</span>
          </label>
        ))}
      </div>
      {fields.expiryKind === 'custom' && (
        <CustomExpiry fields={fields} issues={issues} onChange={onChange} />
      )}
    </fieldset>
  );
}

function labelOf(kind: FormFields['expiryKind']): string {
  if (kind === 'never') return t('expiry_never');
  if (kind === 'custom') return t('expiry_custom');
  const { amount, unit } = EXPIRY_PRESETS[kind];
  const format = { style: 'unit', unit: UNIT_NAMES[unit], unitDisplay: 'long' } as const;
  return new Intl.NumberFormat(formatTag(), format).format(amount);
}
