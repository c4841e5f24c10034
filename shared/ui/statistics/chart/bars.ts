import type { Point, SeriesName } from '../series.ts';

/** A part of a column, in percent of the plot. */
export type Bar = { series: SeriesName; x: number; y: number; width: number; height: number };

export type ChartShape = {
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

/** The bars of all columns. Zeros have none. */
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

/** The index of the period at a position. @param position as a part of the width, from the left */
export function indexAt(position: number, count: number, isMirrored: boolean): number {
  const index = Math.floor((isMirrored ? 1 - position : position) * count);
  return Math.min(count - 1, Math.max(0, index));
}

export function highest(points: readonly Point[], shown: readonly SeriesName[]): number {
  const sums = points.map((point) => shown.reduce((sum, series) => sum + point[series], 0));
  return Math.max(0, ...sums);
}
