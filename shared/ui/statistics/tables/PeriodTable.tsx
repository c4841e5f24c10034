import { useId } from 'preact/hooks';
import { formatNumber } from '../../../i18n/plural.ts';
import { type PlainKey, t } from '../../../i18n/translate.ts';
import type { StatisticsReport } from '../../../statistics.ts';
import { formatPeriod, formatRange } from '../format-period.ts';
import { COUNT_LABELS, type Counts } from '../series.ts';

const COLUMNS = Object.entries(COUNT_LABELS) as [keyof Counts, PlainKey][];

/** The numbers of the chart. */
export function PeriodTable({ report }: { report: StatisticsReport }) {
  const id = useId();
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
            {COLUMNS.map(([name, label]) => (
              <th key={name} scope="col" class="number">
                {t(label)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {report.series.map((point) => (
            <tr key={point.start}>
              <th scope="row">{formatPeriod(point.start, report)}</th>
              {COLUMNS.map(([name]) => (
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
