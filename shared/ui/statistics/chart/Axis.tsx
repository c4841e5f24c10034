import type { StatisticsReport } from '../../../statistics.ts';
import { formatTick } from '../format-period.ts';
import { slotOf } from './bars.ts';

/** Labels, at most. */
const MAX_LABELS = 8;
/** A narrow chart shows every third one. */
const NARROW_STEP = 3;

/** Names some of the periods below the chart. */
export function Axis({ report, isMirrored }: { report: StatisticsReport; isMirrored: boolean }) {
  const { series: points } = report;
  const step = Math.ceil(points.length / MAX_LABELS);
  const labels = points.flatMap(({ start }, index) =>
    index % step === 0 ? [{ start, index }] : [],
  );
  return (
    <svg class="chart-axis" aria-hidden="true">
      {labels.map(({ start, index }, place) => {
        const slot = slotOf(index, points.length, isMirrored);
        return (
          <text
            key={start}
            class={place % NARROW_STEP > 0 ? 'minor' : undefined}
            x={`${slot.start + slot.width / 2}%`}
            y="1em"
            text-anchor={anchorOf(index, points.length)}
          >
            {formatTick(start, report)}
          </text>
        );
      })}
    </svg>
  );
}

/** A label in the middle of its period, unless it would cross the edge of the chart. */
function anchorOf(index: number, count: number): 'start' | 'middle' | 'end' {
  const place = (index + 0.5) / count;
  if (place < 0.06) return 'start';
  return place > 0.94 ? 'end' : 'middle';
}
