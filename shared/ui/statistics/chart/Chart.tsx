import { useId } from 'preact/hooks';
import { formatNumber } from '../../../i18n/plural.ts';
import { t } from '../../../i18n/translate.ts';
import type { StatisticsReport } from '../../../statistics.ts';
import { formatRange } from '../format-period.ts';
import { formatCounts, type SeriesName } from '../series.ts';
import type { StatisticsState } from '../state/statistics-state.ts';
import { Axis } from './Axis.tsx';
import { highest, slotOf, toBars } from './bars.ts';
import { PeriodSlider, periodText } from './PeriodSlider.tsx';
import { ticksUpTo } from './scale.ts';

export type ChartProps = { report: StatisticsReport; state: StatisticsState };

/** Columns of visits over time. All lengths are percentages, so it fits every width. */
export function Chart({ report, state }: ChartProps) {
  const hatch = useId();
  const shown = state.shownSeries.value;
  const current = state.current.value;
  const { series: points } = report;
  const isMirrored = t('text_direction') === 'rtl';
  const ticks = ticksUpTo(highest(points, shown));
  const top = ticks.at(-1) ?? 1;
  const slot = current === undefined ? undefined : slotOf(current, points.length, isMirrored);
  const fillOf = (series: SeriesName) => (series === 'previews' ? `url(#${hatch})` : undefined);

  return (
    <div class="chart">
      <div class="chart-values" aria-hidden="true">
        {ticks.toReversed().map((tick) => (
          <span key={tick}>{formatNumber(tick)}</span>
        ))}
      </div>
      <div class="chart-plot">
        <svg
          class="chart-picture"
          role="img"
          aria-label={t('chart_label', formatRange(report), formatCounts(report.totals, shown))}
        >
          <Hatch id={hatch} />
          {ticks.map((tick) => {
            const y = `${100 - (tick / top) * 100}%`;
            return <line key={tick} class="chart-line" x1="0" x2="100%" y1={y} y2={y} />;
          })}
          {slot && (
            <rect
              class="chart-current"
              x={`${slot.start}%`}
              y="0"
              width={`${slot.width}%`}
              height="100%"
            />
          )}
          {toBars({ points, shown, top, isMirrored }).map(({ series, x, y, width, height }) => (
            <rect
              key={`${series} ${x}`}
              class={`chart-bar ${series}`}
              fill={fillOf(series)}
              x={`${x}%`}
              y={`${y}%`}
              width={`${width}%`}
              height={`${height}%`}
            />
          ))}
        </svg>
        <PeriodSlider report={report} state={state} isMirrored={isMirrored} />
        {slot && current !== undefined && (
          // Not a live region: the slider has the same text.
          <p
            class="chart-tooltip"
            aria-hidden="true"
            style={{ '--place': `${slot.start + slot.width / 2}%` }}
            data-side={slot.start > 50 ? 'left' : 'right'}
          >
            {periodText(report, state, current)}
          </p>
        )}
      </div>
      <Axis report={report} isMirrored={isMirrored} />
    </div>
  );
}

/** Tells previews from the others without color, too. */
function Hatch({ id }: { id: string }) {
  return (
    <pattern id={id} class="chart-hatch" width="6" height="6" patternUnits="userSpaceOnUse">
      <rect class="previews" width="6" height="6" />
      <path d="M-1 7 7-1M-1 1 1-1M5 7l2-2" />
    </pattern>
  );
}
