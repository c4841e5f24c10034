import { t } from '../../i18n/translate.ts';
import { InputField } from '../InputField.tsx';
import { SelectField } from '../SelectField.tsx';
import { RANGE_LABELS, RANGES } from './state/ranges.ts';
import type { StatisticsState } from './state/statistics-state.ts';
import { browserTimeZone, otherTimeZones } from './state/time-zones.ts';

/** Chooses the range and the time zone. */
export function RangeForm({ state }: { state: StatisticsState }) {
  const { range, dates, timeZone, today } = state;
  const own = browserTimeZone();
  return (
    <div class="range-form">
      <SelectField
        label={t('range_label')}
        name="range"
        options={RANGES.map((value) => ({ value, label: t(RANGE_LABELS[value]) }))}
        value={range.value}
        onChoose={state.setRange}
      />
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
      <SelectField
        label={t('time_zone')}
        name="time-zone"
        options={[
          ...(own === 'UTC' ? [] : [{ value: own, label: t('time_zone_own', own) }]),
          { value: 'UTC', label: t('time_zone_utc') },
          ...otherTimeZones().map((name) => ({ value: name, label: name })),
        ]}
        value={timeZone.value}
        onChoose={state.setTimeZone}
      />
    </div>
  );
}
