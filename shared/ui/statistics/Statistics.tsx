import { useEffect } from 'preact/hooks';
import { t } from '../../i18n/translate.ts';
import { Icon } from '../Icon.tsx';
import { ChartCard } from './chart/ChartCard.tsx';
import { RangeForm } from './RangeForm.tsx';
import { isEmpty } from './series.ts';
import type { StatisticsState } from './state/statistics-state.ts';
import { Totals } from './Totals.tsx';
import { CoveredDays } from './tables/CoveredDays.tsx';
import { TopTables, type TopTablesProps } from './tables/TopTables.tsx';

export type StatisticsProps = { state: StatisticsState } & Pick<TopTablesProps, 'linkUrl'>;

/** Visits of a link or an account, in the dashboard and the extension. */
export function Statistics({ state, linkUrl }: StatisticsProps) {
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
          <TopTables report={report} linkUrl={linkUrl} />
          <p class="hint">{t('statistics_privacy')}</p>
        </>
      )}
    </div>
  );
}
