import { t } from '../../../i18n/translate.ts';
import type { StatisticsReport } from '../../../statistics.ts';
import { formatPeriod } from '../format-period.ts';
import { formatCounts } from '../series.ts';
import type { StatisticsState } from '../state/statistics-state.ts';
import { indexAt } from './bars.ts';

export type PeriodSliderProps = {
  report: StatisticsReport;
  state: StatisticsState;
  isMirrored: boolean;
};

/**
 * Chooses a period of the chart: an invisible slider over it, so that arrow keys, touch and screen
 * readers work as everywhere.
 */
export function PeriodSlider({ report, state, isMirrored }: PeriodSliderProps) {
  const { series: points } = report;
  const last = points.length - 1;
  const index = state.current.value ?? last;
  return (
    <input
      type="range"
      class="chart-slider"
      // The width of the thumb depends on it.
      style={{ '--periods': points.length }}
      aria-label={t('chart_period')}
      aria-valuetext={periodText(report, state, index)}
      min={0}
      max={last}
      step={1}
      value={index}
      onFocus={() => state.point(index)}
      onBlur={() => state.point(undefined)}
      onInput={(event) => state.point(Number(event.currentTarget.value))}
      onPointerMove={(event) => {
        const { left, width } = event.currentTarget.getBoundingClientRect();
        state.point(indexAt((event.clientX - left) / width, points.length, isMirrored));
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter') void state.zoom(index);
      }}
      onPointerUp={(event) => {
        // A finger has no other way to point at a column.
        if (event.pointerType === 'mouse' && event.button === 0) void state.zoom(index);
      }}
      onPointerLeave={(event) => {
        if (document.activeElement !== event.currentTarget) state.point(undefined);
      }}
    />
  );
}

/** The numbers of a period: `January 31, 2030 – Visits: 12, Visitors: 9`. */
export function periodText(
  report: StatisticsReport,
  { shownSeries }: Pick<StatisticsState, 'shownSeries'>,
  index: number,
): string {
  const point = report.series[index];
  if (!point) return '';
  return t(
    'chart_period_numbers',
    formatPeriod(point.start, report),
    formatCounts(point, shownSeries.value),
  );
}
