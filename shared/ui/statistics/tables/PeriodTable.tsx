import { useId } from 'preact/hooks';
import { formatNumber } from '../../../i18n/plural.ts';
import { t } from '../../../i18n/translate.ts';
import type { ChartProps } from '../chart/Chart.tsx';
import { formatPeriod, formatRange } from '../format-period.ts';
import { COUNT_LABELS, countsOf } from '../series.ts';

/** The numbers of the chart. */
export function PeriodTable({ report, state }: ChartProps) {
  const id = useId();
  const columns = countsOf(state.shownSeries.value);
  return (
    // A wide table scrolls by itself, also with the keyboard.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
    <section class="table-frame" aria-labelledby={id} tabIndex={0}>
      <table class="table">
        <caption class="hint" id={id}>
          {formatRange(report)}
        </caption>
        <thead>
          <tr>
            <th scope="col">{t('table_period')}</th>
            {columns.map((name) => (
              <th key={name} scope="col" class="number">
                {t(COUNT_LABELS[name])}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {report.series.map((point, index) => (
            <tr key={point.start}>
              <th scope="row">
                {report.unit === 'hour' ? (
                  formatPeriod(point.start, report)
                ) : (
                  <button type="button" class="row-filter" onClick={() => state.zoom(index)}>
                    {formatPeriod(point.start, report)}
                  </button>
                )}
              </th>
              {columns.map((name) => (
                <td key={name} class="number">
                  {formatNumber(point[name])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
