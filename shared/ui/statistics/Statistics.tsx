import { useEffect } from 'preact/hooks';
import { formatNumber } from '../../i18n/plural.ts';
import { formatTag, t } from '../../i18n/translate.ts';
import type { StatisticsReport } from '../../statistics.ts';
import { InputField, SelectField } from '../Field.tsx';
import { Icon } from '../Icon.tsx';
import { Select } from '../Select.tsx';
import { ChartCard } from './Chart.tsx';
import { COUNT_LABELS, isEmpty } from './report.ts';
import {
  browserTimeZone,
  FIRST_DATE,
  otherTimeZones,
  RANGE_LABELS,
  RANGES,
} from './state/ranges.ts';
import type { StatisticsState } from './state/statistics-state.ts';
import { CoveredDays, TopTables, type TopTablesProps } from './TopTables.tsx';

type StatisticsProps = { state: StatisticsState } & Omit<TopTablesProps, 'report'>;

/** Visits of a link or an account, in the dashboard and the extension. */
export function Statistics({ state, ...tops }: StatisticsProps) {
  const report = state.report.value;
  useEffect(() => state.start(), [state]);
  return (
    <div class="statistics" aria-busy={state.isLoading.value}>
      <div class="statistics-head">
        <RangeForm state={state} />
        {report && (
          <button type="button" class="button" onClick={state.exportCsv}>
            <Icon name="save" />
            {t('export_csv')}
          </button>
        )}
      </div>
      <p class="visually-hidden" role="status">
        {state.isLoading.value ? t('statistics_loading') : ''}
      </p>
      {report && !report.isRecording && <p class="card note">{t('statistics_off')}</p>}
      {report && isEmpty(report.totals) && report.isRecording && (
        <p class="card">{t('statistics_none')}</p>
      )}
      {report && !isEmpty(report.totals) && (
        <>
          <Totals report={report} />
          <ChartCard report={report} state={state} />
          <CoveredDays report={report} />
          <TopTables report={report} {...tops} />
          <p class="hint">{t('statistics_privacy')}</p>
        </>
      )}
    </div>
  );
}

/** Chooses the range, the tag and the time zone. */
function RangeForm({ state }: { state: StatisticsState }) {
  const { range, dates, timeZone, today, tag, tags } = state;
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
            min={FIRST_DATE}
            max={today()}
            value={dates.value.from}
            onChange={(event) => state.setDates({ from: event.currentTarget.value })}
          />
          <InputField
            label={t('range_to')}
            issue={state.areDatesValid.value ? undefined : t('range_issue')}
            type="date"
            name="to"
            min={FIRST_DATE}
            max={today()}
            value={dates.value.to}
            onChange={(event) => state.setDates({ to: event.currentTarget.value })}
          />
        </>
      )}
      {(tags.value.length > 0 || tag.value !== '') && (
        <SelectField
          label={t('filter_tag')}
          name="tag"
          options={[
            { value: '', label: t('tags_all') },
            ...withChosen(tags.value, tag.value).map((value) => ({ value, label: value })),
          ]}
          value={tag.value}
          onChoose={state.setTag}
        />
      )}
      <details class="zone">
        <summary>{t('label_of', t('time_zone'), timeZone.value)}</summary>
        <Select
          aria-label={t('time_zone')}
          name="time-zone"
          options={[
            ...(own === 'UTC' ? [] : [{ value: own, label: t('time_zone_own', own) }]),
            { value: 'UTC', label: t('time_zone_utc') },
            ...otherTimeZones().map((name) => ({ value: name, label: name })),
          ]}
          value={timeZone.value}
          onChoose={state.setTimeZone}
        />
      </details>
    </div>
  );
}

/** The tag of a bookmark may have no links by now. */
function withChosen(tags: string[], chosen: string): string[] {
  return chosen === '' || tags.includes(chosen) ? tags : [chosen, ...tags];
}

/** Visits and visitors of all periods, and how they have changed. */
function Totals({ report }: { report: StatisticsReport }) {
  const { totals, previous, unit, series } = report;
  // Who came before the period, on the same day (UTC), is no visitor of it.
  const lacksVisitors = series.some(({ people, uniquePeople }) => people > 0 && uniquePeople === 0);
  return (
    <section class="card">
      <dl class="totals">
        {(['people', 'uniquePeople'] as const).map((name) => (
          <div key={name}>
            <dt>{t(COUNT_LABELS[name])}</dt>
            <dd>{formatNumber(totals[name])}</dd>
            {previous[name] > 0 && <Change share={totals[name] / previous[name] - 1} />}
          </div>
        ))}
      </dl>
      {(lacksVisitors || unit === 'hour') && totals.people > 0 && (
        <p class="hint">{t('visitors_once')}</p>
      )}
    </section>
  );
}

function Change({ share }: { share: number }) {
  const format = new Intl.NumberFormat(formatTag(), {
    style: 'percent',
    maximumFractionDigits: 0,
    signDisplay: 'exceptZero',
  });
  // What is shown as 0 % is no growth.
  const isMore = Math.round(share * 100) > 0;
  return (
    <dd class={isMore ? 'total-change' : 'total-change less'}>
      {t('change_previous', format.format(share))}
    </dd>
  );
}
