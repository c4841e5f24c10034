import { useId } from 'preact/hooks';
import { t } from '../../../i18n/translate.ts';
import { PeriodTable } from '../tables/PeriodTable.tsx';
import { Chart, type ChartProps } from './Chart.tsx';
import { Legend } from './Legend.tsx';

/** Visits over time, as a picture and as a table. */
export function ChartCard({ report, state }: ChartProps) {
  const id = useId();
  return (
    <section class="card" aria-labelledby={id}>
      <div class="card-head">
        <h2 id={id}>{t('visits_over_time')}</h2>
        <Legend state={state} />
      </div>
      <Chart report={report} state={state} />
      {report.unit !== 'hour' && <p class="hint">{t('chart_hint')}</p>}
      <details class="statistics-table">
        <summary>{t('show_as_table')}</summary>
        <PeriodTable report={report} state={state} />
      </details>
    </section>
  );
}
