import { useId } from 'preact/hooks';
import { formatNumber } from '../../i18n/plural.ts';
import { t } from '../../i18n/translate.ts';
import type { StatisticsReport } from '../../statistics.ts';
import { highest, indexAt, type Slot, slotOf, ticksUpTo, toBars } from './bars.ts';
import {
  COUNT_LABELS,
  countsOf,
  formatCounts,
  formatPeriod,
  formatRange,
  formatTick,
  type SeriesName,
} from './report.ts';
import type { StatisticsState } from './state/statistics-state.ts';

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
      <details class="statistics-table">
        <summary>{t('show_as_table')}</summary>
        <PeriodTable report={report} state={state} />
      </details>
    </section>
  );
}

type ChartProps = { report: StatisticsReport; state: StatisticsState };

/** Columns of visits over time. All lengths are percentages, so it fits every width. */
function Chart({ report, state }: ChartProps) {
  const hatch = useId();
  const shown = state.shownSeries.value;
  const current = state.current.value;
  const { series: points } = report;
  const isMirrored = t('text_direction') === 'rtl';
  const before = state.before.value;
  const ticks = ticksUpTo(Math.max(highest(points, shown), ...(before ?? [])));
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
          {before && <PreviousLine before={before} top={top} isMirrored={isMirrored} />}
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

type PreviousLineProps = { before: number[]; top: number; isMirrored: boolean };

/** Visits in the periods before, each where the column of the same place is. */
function PreviousLine({ before, top, isMirrored }: PreviousLineProps) {
  const points = before.map((people, index) => {
    const { start, width } = slotOf(index, before.length, isMirrored);
    return `${start + width / 2},${100 - (people / top) * 100}`;
  });
  return (
    <svg class="chart-previous" aria-hidden="true" viewBox="0 0 100 100" preserveAspectRatio="none">
      <polyline points={points.join(' ')} />
    </svg>
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

/** Labels, at most. */
const MAX_LABELS = 8;
/** A narrow chart shows every third one. */
const NARROW_STEP = 3;
/** Nearer to an edge, half of a label has no space. In percent of the width. */
const EDGE_PERCENT = 4;

/** Names some of the periods below the chart. */
function Axis({ report, isMirrored }: { report: StatisticsReport; isMirrored: boolean }) {
  const { series: points } = report;
  const step = Math.ceil(points.length / MAX_LABELS);
  const labels = points.flatMap(({ start }, index) =>
    index % step === 0 ? [{ start, index }] : [],
  );
  return (
    <svg class="chart-axis" aria-hidden="true">
      {labels.map(({ start, index }, number) => {
        const { x, anchor } = positionOf(slotOf(index, points.length, isMirrored), isMirrored);
        return (
          <text
            key={start}
            class={number % NARROW_STEP > 0 ? 'minor' : undefined}
            x={`${x}%`}
            y="1em"
            text-anchor={anchor}
          >
            {formatTick(start, report)}
          </text>
        );
      })}
    </svg>
  );
}

/**
 * A label is in the middle of its column. If it would cross the edge of the chart there, it starts or
 * ends with its column instead.
 */
function positionOf({ start, width }: Slot, isMirrored: boolean) {
  const end = start + width;
  const middle = start + width / 2;
  if (middle >= EDGE_PERCENT && middle <= 100 - EDGE_PERCENT)
    return { x: middle, anchor: 'middle' };
  const isLeft = middle < EDGE_PERCENT;
  return { x: isLeft ? start : end, anchor: isLeft === isMirrored ? 'end' : 'start' } as const;
}

type PeriodSliderProps = {
  report: StatisticsReport;
  state: StatisticsState;
  isMirrored: boolean;
};

/**
 * Chooses a period of the chart: an invisible slider over it, so that arrow keys, touch and screen
 * readers work as everywhere.
 */
function PeriodSlider({ report, state, isMirrored }: PeriodSliderProps) {
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
function periodText(
  report: StatisticsReport,
  { shownSeries, before }: Pick<StatisticsState, 'shownSeries' | 'before'>,
  index: number,
): string {
  const point = report.series[index];
  if (!point) return '';
  const numbers = formatCounts(point, shownSeries.value, before.value?.[index]);
  return t('chart_period_numbers', formatPeriod(point.start, report), numbers);
}

/** The switch for previews and bots, and the colors of the chart once there are several. */
function Legend({ state }: { state: StatisticsState }) {
  const shown = state.shownSeries.value;
  return (
    <div class="chart-legend">
      {state.before.value && (
        <span>
          <svg class="chart-swatch" aria-hidden="true">
            <path class="chart-previous" d="M0 6h12" />
          </svg>
          {t('previous_period')}
        </span>
      )}
      {shown.length > 1 &&
        shown.map((name) => (
          <span key={name}>
            <svg class="chart-swatch" aria-hidden="true">
              <rect class={`chart-bar ${name}`} width="100%" height="100%" />
              {name === 'previews' && <path class="chart-hatch" d="M0 12 12 0M0 6 6 0M6 12l6-6" />}
            </svg>
            {t(COUNT_LABELS[name])}
          </span>
        ))}
      <label>
        <input
          type="checkbox"
          checked={state.showsBots.value}
          onChange={(event) => state.showBots(event.currentTarget.checked)}
        />
        {t('include_bots')}
      </label>
    </div>
  );
}

/** Renders the numbers of the chart. */
function PeriodTable({ report, state }: { report: StatisticsReport; state: StatisticsState }) {
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
