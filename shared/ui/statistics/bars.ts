import type { Point, SeriesName } from './report.ts';

/** A part of a column, in percent of the plot. */
type Bar = { series: SeriesName; x: number; y: number; width: number; height: number };

type ChartShape = {
  points: readonly Point[];
  /** Stacked from below. */
  shown: readonly SeriesName[];
  /** The value at the upper edge. */
  top: number;
  /** Whether time runs from right to left. */
  isMirrored: boolean;
};

/** Part of a period's space that stays empty. */
const GAP = 0.24;

/** Returns the bars of all columns. Zeros have none. */
export function toBars({ points, shown, top, isMirrored }: ChartShape): Bar[] {
  return points.flatMap((point, index) => {
    const { start, width } = slotOf(index, points.length, isMirrored);
    let below = 0;
    return shown.flatMap((series) => {
      const height = (point[series] / top) * 100;
      below += height;
      if (height === 0) return [];
      const x = start + (width * GAP) / 2;
      return [{ series, x, y: 100 - below, width: width * (1 - GAP), height }];
    });
  });
}

/** The space of a period, in percent of the width, from the left. */
export type Slot = { start: number; width: number };

export function slotOf(index: number, count: number, isMirrored: boolean): Slot {
  const width = 100 / count;
  return { start: width * (isMirrored ? count - 1 - index : index), width };
}

/** Returns the index of the period at a position. @param position as a part of the width, from the left */
export function indexAt(position: number, count: number, isMirrored: boolean): number {
  const index = Math.floor((isMirrored ? 1 - position : position) * count);
  return Math.min(count - 1, Math.max(0, index));
}

export function highest(points: readonly Point[], shown: readonly SeriesName[]): number {
  const sums = points.map((point) => shown.reduce((sum, series) => sum + point[series], 0));
  return Math.max(0, ...sums);
}

/** Lines above zero, at most. */
const MAX_LINES = 5;
const STEPS = [1, 2, 5, 10];

/** Returns round values for the axis, from 0 up to at least `max`, in equal steps of whole numbers. */
export function ticksUpTo(max: number): number[] {
  const smallest = Math.max(1, max) / MAX_LINES;
  const power = 10 ** Math.max(0, Math.floor(Math.log10(smallest)));
  const step = (STEPS.find((one) => one * power >= smallest) ?? 10) * power;
  const lines = Math.max(1, Math.ceil(max / step));
  return Array.from({ length: lines + 1 }, (_, index) => index * step);
}
