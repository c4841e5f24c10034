import { t } from '../../i18n/translate.ts';
import { Field } from '../Field.tsx';
import { InputField } from '../InputField.tsx';
import { RANGE_LABELS, RANGES, type RangeName } from './state/ranges.ts';
import type { StatisticsState } from './state/statistics-state.ts';
import { browserTimeZone, otherTimeZones } from './state/time-zones.ts';

/** Chooses the range and the time zone. */
export function RangeForm({ state }: { state: StatisticsState }) {
  const { range, dates, timeZone, today } = state;
  const own = browserTimeZone();
  return (
    <div class="range-form">
      <Field label={t('range_label')}>
        {(control) => (
          <select
            {...control}
            class="input"
            name="range"
            value={range.value}
            onChange={(event) => state.setRange(event.currentTarget.value as RangeName)}
          >
            {RANGES.map((name) => (
              <option key={name} value={name}>
                {t(RANGE_LABELS[name])}
              </option>
            ))}
          </select>
        )}
      </Field>
      {range.value === 'custom' && (
        <>
          <InputField
            label={t('range_from')}
            type="date"
            name="from"
            min="1970-01-01"
            max={today()}
            value={dates.value.from}
            onChange={(event) => state.setDates({ from: event.currentTarget.value })}
          />
          <InputField
            label={t('range_to')}
            issue={state.areDatesValid.value ? undefined : t('range_issue')}
            type="date"
            name="to"
            min="1970-01-01"
            max={today()}
            value={dates.value.to}
            onChange={(event) => state.setDates({ to: event.currentTarget.value })}
          />
        </>
      )}
      <Field label={t('time_zone')}>
        {(control) => (
          <select
            {...control}
            class="input"
            name="time-zone"
            value={timeZone.value}
            onChange={(event) => state.setTimeZone(event.currentTarget.value)}
          >
            {own !== 'UTC' && <option value={own}>{t('time_zone_own', own)}</option>}
            <option value="UTC">{t('time_zone_utc')}</option>
            {otherTimeZones().map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        )}
      </Field>
    </div>
  );
}
