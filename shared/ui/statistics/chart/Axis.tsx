import type { StatisticsReport } from '../../../statistics.ts';
import { formatTick } from '../format-period.ts';
import { type Slot, slotOf } from './bars.ts';

/** Labels, at most. */
const MAX_LABELS = 8;
/** A narrow chart shows every third one. */
const NARROW_STEP = 3;
/** Nearer to an edge, half of a label has no space. In percent of the width. */
const EDGE_PERCENT = 4;

/** Names some of the periods below the chart. */
export function Axis({ report, isMirrored }: { report: StatisticsReport; isMirrored: boolean }) {
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
